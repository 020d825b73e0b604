/** Real processes that print the secrets of their environment: on stderr, in errors, in programs run for them. None of them gets anywhere. */
import { assert, describe, it } from "@effect/vitest"
import { ThreadId } from "@signalbox/contracts/Ids"
import { SignalboxRpc } from "@signalbox/contracts/Rpc"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as RpcClient from "effect/rpc/RpcClient"
import * as Stream from "effect/Stream"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { thread } from "../support/AgentHarness.ts"
import { play as playIn, scripted } from "../support/ScriptedAgent.ts"
import { connect, converse, reachable } from "../cli/support/Conversation.ts"
import { call, scriptedAgent, start, temporaryFolder } from "../cli/support/Signalbox.ts"

/** A variable of each kind, and what of it must be seen nowhere. */
const env = {
  SOME_API_KEY: "k3y-0f-s0me-api",
  MYSQL_PWD: "pwd-0f-mysql",
  SSHPASS: "pass-0f-ssh",
  GITHUB_PAT: "pat-0f-github",
  SENTRY_DSN: "https://dsn-0f-sentry@o1.example/2",
  DATABASE_URL: "postgres://app:pass-0f-postgres@db.example/x",
  SIGNING_KEY: "/9j/4AAQSkZJRgABAQEAYABg+slash==",
  DOOR_PASSWORD: "tig3r",
  ODD_SECRET: 'odd "quoted" /<s3cret>'
}
const { DATABASE_URL, SENTRY_DSN, ...plain } = env
const values = [...Object.values(plain), "dsn-0f-sentry", "pass-0f-postgres"]
const base64 = Buffer.from(`user:${env.SOME_API_KEY}`).toString("base64")
const needles = [
  ...values,
  ...values.map((value) => JSON.stringify(value).slice(1, -1)),
  encodeURIComponent(env.ODD_SECRET),
  base64.slice(8, -4)
]

const lastWords = `${values.map((value) => `failed with ${value}\n`).join("")}${DATABASE_URL}\n${SENTRY_DSN}\n${encodeURIComponent(env.ODD_SECRET)}\nBasic ${base64}\n`

const assertNone = (text: string, where: string) => {
  for (const needle of needles) assert.isFalse(text.includes(needle), `${needle} in ${where}`)
}

/** All that is written below a folder. */
const written = (folder: string): ReadonlyArray<readonly [path: string, text: string]> =>
  readdirSync(folder, { withFileTypes: true, recursive: true }).flatMap((entry) =>
    entry.isFile() && entry.name !== "settings.json"
      ? [[entry.name, readFileSync(join(entry.parentPath, entry.name), "utf8")] as const]
      : []
  )

describe("secrets of an agent's environment", () => {
  it.live("are in no event, however its last words hold them", () =>
    Effect.gen(function* () {
      const agent = yield* scripted({ prompts: [[{ stderr: lastWords }, { crash: 3 }]] }, { env })
      yield* agent.start()
      const { problem } = yield* agent.turn("t1", "go")
      assert.strictEqual(problem?.code, "agent-exited")
      assert.include(problem?.evidence.stderrTail?.[0] ?? "", "failed with [redacted]")
      assertNone(JSON.stringify(agent.events), "events")
    })
  )

  it.live("and of its arguments are in no output of a run and on no tape", () =>
    Effect.gen(function* () {
      const secrets = ["arg-0f-a-key", "arg-0f-a-token"]
      const noise = `was started with ${secrets.join(" and --token=")}\n`
      const setup = JSON.stringify({ beforeNewSession: [{ stderr: noise }, { crash: 3 }] })
      const agent = `${scriptedAgent} --api-key ${secrets[0]} --token=${secrets[1]} --other-key true`
      const tape = join(temporaryFolder("tape"), "tape.ndjson")
      const told = yield* call(["run", "--agent", agent, "--env", `SCRIPTED_AGENT=${setup}`, "--tape", tape, "go"])
      assert.include(told.stderr, "was started with [redacted] and --token=[redacted]")
      for (const secret of secrets)
        assert.notInclude(`${told.stdout}${told.stderr}${readFileSync(tape, "utf8")}`, secret)
    })
  )

  it.live("are in no failure of a start: of an exit, an error, a text that is no message, a timeout", () =>
    Effect.gen(function* () {
      const error = { code: -32603, message: `bad ${values.join(" ")}`, data: { values, DATABASE_URL } }
      const noise = `${values.join(" ")}\n`
      const cases: ReadonlyArray<readonly [object, string]> = [
        [{ beforeNewSession: [{ stderr: lastWords }, { crash: 3 }] }, "[redacted]"],
        [{ newSessionErrors: [error, error] }, "bad [redacted]"],
        [{ initializeError: error }, "bad [redacted]"],
        [{ beforeNewSession: [{ raw: noise }, { crash: 3 }] }, "[redacted]"],
        [{ beforeNewSession: [{ raw: noise }, { stderr: lastWords }, { wait: 60_000 }] }, "[redacted]"]
      ]
      for (const [setup, seen] of cases) {
        const agent = yield* scripted(setup, { env, timing: { start: Duration.seconds(5) } })
        const { problem } = yield* Effect.flip(agent.start())
        const text = JSON.stringify({ problem, events: agent.events })
        assert.include(text, seen)
        assertNone(text, JSON.stringify(setup).slice(0, 40))
      }
    })
  )

  it.live("are in no warning and in no error of a call", () =>
    Effect.gen(function* () {
      const error = { code: -32603, message: `bad ${values.join(" ")}`, data: { values } }
      const option = {
        id: "depth",
        name: "Depth",
        type: "select",
        currentValue: "a",
        options: ["a", "b"].map((value) => ({ value, name: value }))
      }
      const setup = {
        newSession: { configOptions: [option] },
        refuseOptions: error,
        prompts: [[{ raw: `${values.join(" ")}\n` }, { message: { id: 99, error } }, { error }]]
      }
      const agent = yield* scripted(setup, { env })
      yield* agent.start()
      const refused = yield* Effect.flip(agent.adapter.setSetting(thread, "depth", "b"))
      const { problem } = yield* agent.turn("t1", "go")
      assert.include(problem?.cause, "bad [redacted]")
      assert.include(refused.problem.cause, "bad [redacted]")
      assert.isAtLeast(agent.of("runtime.warning").length, 2)
      assertNone(JSON.stringify([refused.problem, agent.events]), "events")
    })
  )

  it.live("are not shown in the terminals that it has us run, and it is told them itself", () =>
    Effect.gen(function* () {
      const script = `printf '%s\\n' "$SOME_API_KEY" "$DATABASE_URL" "$DOOR_PASSWORD"; printf k3y-0f-; sleep 0.3; printf s0me-api`
      const terminal = {
        method: "terminal/create",
        params: {
          command: "sh",
          args: ["-c", script],
          env: Object.entries(env).map(([name, value]) => ({ name, value }))
        }
      }
      const agent = yield* scripted(
        {},
        { env, profile: { workspace: () => ({ files: "off", terminals: true, shellLines: true, environment: "all" }) } }
      )
      yield* agent.start()
      yield* playIn(
        agent,
        "t1",
        { request: terminal },
        { request: { method: "terminal/wait_for_exit", params: { terminalId: "{terminal:1}" } } },
        { request: { method: "terminal/output", params: { terminalId: "{terminal:1}" } } }
      )
      const shown = agent.events.filter(({ type }) => type.startsWith("tool."))
      assert.include(JSON.stringify(shown), "[redacted]")
      for (const needle of [env.SOME_API_KEY, "k3y-0f-", "pass-0f-postgres", env.DOOR_PASSWORD])
        assert.notInclude(JSON.stringify(shown.map((event) => ("tool" in event ? event.tool.content : []))), needle)
      // The agent's own words are its own.
      assert.include(JSON.stringify(agent.of("message.delta")), env.SOME_API_KEY)
    })
  )

  it.live("are not printed by `run`, as text or as JSON, and are on no tape", () =>
    Effect.gen(function* () {
      const setup = JSON.stringify({
        prompts: [[{ stderr: lastWords }, { raw: `${values.join(" ")}\n` }, { crash: 3 }]]
      })
      for (const flags of [[], ["--json"]]) {
        const tape = join(temporaryFolder("tape"), "tape.ndjson")
        const ran = yield* call(["run", "--agent", scriptedAgent, "--tape", tape, ...flags, "go"], {
          env: { ...env, SCRIPTED_AGENT: setup }
        })
        assert.include(ran.stdout + ran.stderr, "[redacted]")
        assertNone(ran.stdout + ran.stderr, `run ${flags.join()}`)
        assertNone(readFileSync(tape, "utf8"), "tape")
      }
    })
  )

  it.live("are in no file of a server and in no export, whether they are its own or of the agent's entry", () =>
    Effect.gen(function* () {
      const state = temporaryFolder("state")
      const [command = "", ...args] = scriptedAgent.split(" ")
      const setup = {
        prompts: [[{ stderr: lastWords }, { raw: `${values.join(" ")}\n` }, { wait: 100 }, { crash: 3 }]]
      }
      const { SOME_API_KEY, ...others } = env
      const dying = { command, args, env: { SCRIPTED_AGENT: JSON.stringify(setup), SOME_API_KEY } }
      writeFileSync(join(state, "settings.json"), JSON.stringify({ agents: { dying } }))
      const server = yield* start(["--port", "0", "--state-dir", state, "--log-level", "debug"], { env: others })
      const door = yield* reachable(server)
      const threadId = ThreadId.make("dying")
      const view = yield* converse(door, threadId, ["go"], { provider: "dying", until: "failed" })
      assert.include(JSON.stringify(view), "[redacted]")
      assertNone(JSON.stringify(view), "page")
      const exported = yield* Effect.gen(function* () {
        const client = yield* RpcClient.make(SignalboxRpc)
        return yield* Stream.mkString(client.exportThread({ threadId }))
      }).pipe(Effect.scoped, Effect.provide(connect(door)))
      assertNone(exported, "export")
      const files = written(state)
      for (const kind of ["SQLite format", "agent-exited", "begins"])
        assert.isTrue(
          files.some(([, text]) => text.includes(kind)),
          kind
        )
      for (const [name, text] of files) assertNone(text, name)
      // A safe export also hides secrets in prompts and answers, and says that it can't promise to find all.
      const said = yield* converse(door, ThreadId.make("saying"), [`my key is ${others.SSHPASS}, ${SOME_API_KEY}`])
      assert.include(JSON.stringify(said), others.SSHPASS)
      const safe = yield* Effect.gen(function* () {
        const client = yield* RpcClient.make(SignalboxRpc)
        return yield* Stream.mkString(client.exportThread({ threadId: ThreadId.make("saying") }))
      }).pipe(Effect.scoped, Effect.provide(connect(door)))
      const [first = ""] = safe.split("\n")
      assert.include(JSON.parse(first).secrets, "No rule knows every secret")
      assert.include(safe, "my key is [redacted], [redacted]")
      assertNone(safe, "export")
      server.kill("SIGTERM")
      const { stderr, stdout } = yield* server.ended
      assertNone(stdout + stderr, "the server's own words")
      for (const [name, text] of written(state))
        if (name.endsWith(".ndjson")) assert.notInclude(text, others.SSHPASS, name)
    })
  )
})
