import type { ThreadCommand } from "@signalbox/contracts/Command"
import { CommandId, ThreadId, TurnId } from "@signalbox/contracts/Ids"
import { ProviderId } from "@signalbox/contracts/Provider"
import { ProviderRuntimeEvent } from "@signalbox/contracts/ProviderRuntimeEvent"
import { SignalboxRpc } from "@signalbox/contracts/Rpc"
import * as ThreadProjection from "@signalbox/contracts/ThreadProjection"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as RpcClient from "effect/rpc/RpcClient"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import {
  agentsFolder,
  call,
  type Ended,
  groupEnds,
  groupLives,
  hasTerminals,
  launcher,
  type Options,
  scriptedAgent,
  start,
  temporaryFolder
} from "./cli-support/Signalbox.ts"
import { clientLayer } from "./http-support/ServerUnderTest.ts"

const decodeEvent = Schema.decodeUnknownSync(ProviderRuntimeEvent)

/** The events of a `--json` run; fails when a line is anything else. */
const eventsOf = ({ stdout }: Ended) =>
  stdout
    .trimEnd()
    .split("\n")
    .map((line) => decodeEvent(JSON.parse(line)))

/** What is told to people never shows how we are made. */
const assertReadable = (ended: Ended): void => {
  assert.notInclude(ended.stderr, "[object Object]")
  assert.notMatch(ended.stderr, /^\s+at .+:\d+:\d+/m)
  assert.notInclude(ended.stderr, "undefined")
}

const play = (steps: ReadonlyArray<object>, ...flags: ReadonlyArray<string>) =>
  ["run", "--agent", scriptedAgent, ...flags, JSON.stringify(steps)] as const

const simulated = (prompt: string, ...flags: ReadonlyArray<string>) =>
  ["run", "--provider", "cursor-simulated", ...flags, prompt] as const

const permission = (...kinds: ReadonlyArray<string>) => ({
  permission: {
    toolCall: { toolCallId: "t1", title: "Write it", kind: "edit", rawInput: { path: "/tmp/x" } },
    options: kinds.map((kind) => ({ optionId: `the-${kind}`, name: `Name of ${kind}`, kind }))
  }
})

describe("signalbox run", () => {
  it.live("ends with a code that says how the turn ended", () =>
    Effect.gen(function* () {
      const cases: ReadonlyArray<readonly [number, RegExp, ReadonlyArray<string>, Options?]> = [
        [0, /^session: /m, play([{ text: "fine" }])],
        [1, /Broken inside/, play([{ error: { code: -32603, message: "Broken inside", data: { why: "disk" } } }])],
        [1, /Exit code: 7[\s\S]*last words/, play([{ stderr: "last words" }, { wait: 100 }, { crash: 7 }])],
        [1, /no-such-agent/, ["run", "--agent", "/no-such-agent", "hello"]],
        [4, /refused/, play([{ stop: "refusal" }])],
        [4, /max_tokens/, play([{ stop: "max_tokens" }])],
        [5, /Next: /, simulated("hello"), { env: { FAKE_CURSOR_AUTH: "none" } }],
        [
          6,
          /^error: Timed out after 1\.5 s\.\n {2}The agent had not ended its answer\.\n {2}Next: Run it again with a longer --timeout\nsession: /m,
          play([{ text: "slow" }, { waitForCancel: true }], "--timeout", "1.5")
        ],
        [
          6,
          /^error: Timed out after 0\.5 s\.\n {2}The agent had not started yet\.\n {2}Next: Run it again with a longer --timeout\n$/,
          ["run", "--agent", "sleep 100", "--timeout", "0.5", "hello"]
        ]
      ]
      const ends = yield* Effect.forEach(cases, ([, , args, options]) => call(args, options), { concurrency: 2 })
      for (const [index, ended] of ends.entries()) {
        const [code, words, args] = cases[index]!
        assert.strictEqual(ended.code, code, `${args.join(" ")}\n${ended.stderr}`)
        assert.match(ended.stderr, words)
        assertReadable(ended)
      }
      assert.strictEqual(ends[0]?.stdout, "fine\n")
    })
  )

  it.live("calls a wrong command line a usage error, and names what would be right", () =>
    Effect.gen(function* () {
      const cases: ReadonlyArray<readonly [RegExp, ReadonlyArray<string>]> = [
        [/prompt/, ["run"]],
        [/Unrecognized flag|nonsense/, ["run", "--nonsense", "x"]],
        [/"allow" \| "reject" \| "ask"/, ["run", "--approve", "always", "x"]],
        [/cursor-simulated[\s\S]*eliza/, ["run", "--provider", "nobody", "x"]],
        [/one of them/, ["run", "--provider", "eliza", "--agent", "x", "x"]],
        [/never closed/, ["run", "--agent", "'x", "x"]],
        [/does not exist/, ["run", "--cwd", "/no/such/folder", "x"]],
        [/ID=VALUE/, ["run", "--set", "fast", "x"]],
        [/greater than 0/, ["run", "--timeout", "0", "x"]],
        [/--tape/, ["run", "--tape", "/no/such/folder/tape", "x"]],
        [/Standard input was empty/, ["run", "-"]],
        [/is not offered[\s\S]*plan/, simulated("x", "--mode", "nonsense")],
        [/is not offered/, simulated("x", "--model", "nonsense")],
        [/not a setting[\s\S]*mode/, simulated("x", "--set", "nonsense=1")],
        [/other machines/, ["serve", "--host", "0.0.0.0"]],
        [/Unknown subcommand/, ["nonsense"]]
      ]
      const ends = yield* Effect.forEach(cases, ([, args]) => call(args), { concurrency: 2 })
      for (const [index, ended] of ends.entries()) {
        const [words, args] = cases[index]!
        assert.strictEqual(ended.code, 2, `${args.join(" ")}\n${ended.stderr}`)
        assert.match(ended.stderr, words)
        assert.strictEqual(ended.stdout, "")
        assertReadable(ended)
      }
    })
  )

  it.live("prints nothing but events with --json, the last one turn.completed", () =>
    Effect.gen(function* () {
      const [fine, failed, notFound] = yield* Effect.forEach(
        [
          play([{ thought: "hm" }, { text: "one " }, { text: "two" }, { after: [{ text: "too late" }] }], "--json"),
          play([{ text: "half" }, { crash: 1 }], "--json"),
          ["run", "--agent", "/no-such-agent", "--json", "hello"]
        ],
        (args) => call(args),
        { concurrency: 3 }
      )
      const types = eventsOf(fine!).map(({ type }) => type)
      assert.strictEqual(types[0], "session.started")
      assert.strictEqual(types.filter((type) => type === "turn.completed").length, 1)
      for (const ended of [fine!, failed!, notFound!])
        assert.strictEqual(eventsOf(ended).at(-1)?.type, "turn.completed")
      const last = eventsOf(notFound!).at(-1)
      assert.strictEqual(last?.type === "turn.completed" && last.problem?.code, "agent-not-found")
      assert.deepStrictEqual([fine!.code, failed!.code, notFound!.code], [0, 1, 1])
    })
  )

  it.live("takes the prompt from standard input, and splits --agent as a shell would", () =>
    Effect.gen(function* () {
      const folder = join(temporaryFolder("agent"), "a folder")
      mkdirSync(folder)
      const wrapper = join(folder, "my agent")
      writeFileSync(wrapper, `#!/bin/sh\n[ "$1" = "two words" ] || exit 9\nexec ${scriptedAgent}\n`)
      chmodSync(wrapper, 0o755)
      const ended = yield* call(["run", "--agent", `'${wrapper}' "two words"`, "-"], {
        input: JSON.stringify([{ text: "from stdin" }])
      })
      assert.strictEqual(ended.code, 0, ended.stderr)
      assert.strictEqual(ended.stdout, "from stdin\n")
    })
  )

  it.live("grants once and never for good, refuses once, and stops the turn where neither is offered", () =>
    Effect.gen(function* () {
      const all = permission("allow_always", "allow_once", "reject_always", "reject_once")
      const noOnce = permission("allow_always", "reject_always")
      const [allowed, rejected, unasked, stopped] = yield* Effect.forEach(
        [
          play([all], "--approve", "allow"),
          play([all], "--approve", "reject"),
          play([all]),
          play([noOnce, { waitForCancel: true }], "--approve", "allow")
        ],
        (args) => call(args),
        { concurrency: 2 }
      )
      assert.include(allowed!.stdout, "permission the-allow_once")
      assert.include(rejected!.stdout, "permission the-reject_once")
      assert.include(unasked!.stdout, "permission the-reject_once", "nobody to ask")
      assert.notInclude(stopped!.stdout, "the-allow_always")
      assert.notInclude(stopped!.stdout, "the-reject_always")
      assert.strictEqual(stopped!.code, 3, stopped!.stderr)
    })
  )

  it.live.skipIf(!hasTerminals)(
    "asks the person at the terminal, with the agent's own options, and shows all of it",
    () =>
      Effect.gen(function* () {
        const ask = {
          permission: {
            toolCall: {
              toolCallId: "t1",
              title: "List files",
              kind: "execute",
              rawInput: { command: "ls && \\\n\u001b[8mrm -rf work" }
            },
            options: [
              { optionId: "yes", name: "Go ahead", kind: "allow_once" },
              { optionId: "no", name: "Better not", kind: "reject_once" }
            ]
          }
        }
        const run = yield* start(play([ask, ask]), { terminal: true })
        yield* run.says(/Go ahead[\s\S]*Better not[\s\S]*Number: /)
        run.stdin.write("3\n")
        yield* run.says(/A number from 1 to 2\.[\s\S]*Number: /)
        run.stdin.write("2\n")
        yield* run.says(/permission no[\s\S]*Number: /)
        run.stdin.write("1\n")
        const ended = yield* run.ended
        assert.strictEqual(ended.code, 0, ended.stdout)
        assert.include(ended.stdout, "permission yes")
        assert.include(ended.stdout, "rm -rf work")
        assert.notInclude(ended.stdout, "\u001b[8m")
      })
  )

  it.live("puts mode, model and other settings in place before the prompt", () =>
    Effect.gen(function* () {
      const plain = yield* call(simulated("hello", "--json"))
      const settings = eventsOf(plain).findLast((event) => event.type === "settings.updated")
      assert(settings?.type === "settings.updated")
      const model = settings.settings.find(({ category }) => category === "model")
      assert(model?.type === "select")
      const other = model.groups.flatMap(({ choices }) => choices).find(({ value }) => value !== model.value)
      assert(other !== undefined)
      const ended = yield* call(simulated("hello", "--json", "--mode", "plan", "--model", other.value))
      assert.strictEqual(ended.code, 0, ended.stderr)
      const events = eventsOf(ended)
      const before = events.slice(
        0,
        events.findIndex(({ type }) => type === "turn.started")
      )
      const last = before.findLast((event) => event.type === "settings.updated")
      assert(last?.type === "settings.updated")
      const valueOf = (category: string) => last.settings.find((setting) => setting.category === category)
      const mode = valueOf("mode")
      const chosen = valueOf("model")
      assert.strictEqual(mode?.type === "select" && mode.value, "plan")
      assert.strictEqual(chosen?.type === "select" && chosen.value, other.value)
    })
  )

  it.live("takes an earlier session up, and sends no prompt into a new one instead", () =>
    Effect.gen(function* () {
      const state = temporaryFolder("state")
      const env = { SIGNALBOX_STATE_DIR: state }
      const cwd = temporaryFolder("project")
      const first = yield* call(simulated("remember the word anvil"), { env, cwd })
      const session = /^session: (\S+)$/m.exec(first.stderr)?.[1] ?? ""
      assert.include(first.stderr, `--resume ${session}`)

      const again = yield* call(simulated("go on", "--resume", session), { env, cwd })
      assert.strictEqual(again.code, 0, again.stderr)
      assert.notInclude(again.stdout, "anvil", "what was said before is not printed again")
      assert.include(again.stderr, session)

      const lost = yield* call(simulated("go on", "--resume", "no-such-session", "--json"), { env, cwd })
      assert.strictEqual(lost.code, 1)
      assert.include(lost.stdout, "no-such-session")
      assert.notInclude(lost.stderr, "session: ", "the empty session that took its place is not recommended")
      const events = eventsOf(lost)
      assert.isFalse(events.some(({ type }) => type === "turn.started"))
      const last = events.at(-1)
      assert.strictEqual(last?.type === "turn.completed" && last.problem?.code, "session-not-found")
    })
  )

  it.live("records the wire on request, for its owner only", () =>
    Effect.gen(function* () {
      const file = join(temporaryFolder("tape"), "run.ndjson")
      const ended = yield* call(play([{ text: "on tape" }], "--tape", file))
      assert.strictEqual(ended.code, 0, ended.stderr)
      const lines = readFileSync(file, "utf8").trimEnd().split("\n")
      const directions = new Set(lines.map((line) => JSON.parse(line).dir))
      assert.isTrue(directions.has("in") && directions.has("out"))
      assert.isTrue(lines.some((line) => line.includes("on tape")))
      assert.strictEqual(statSync(file).mode & 0o777, 0o600)
    })
  )

  it.live("cancels the turn on Ctrl-C, and leaves no process behind", () =>
    Effect.gen(function* () {
      const run = yield* start(play([{ text: "working" }, { waitForCancel: true }], "--json"))
      const [, agent] = yield* run.says(/"pid":(\d+)/)
      yield* run.says(/working/)
      run.kill("SIGINT")
      const ended = yield* run.ended
      assert.strictEqual(ended.code, 3, ended.stderr)
      const last = eventsOf(ended).at(-1)
      assert.strictEqual(last?.type === "turn.completed" && last.outcome, "cancelled")
      assert.strictEqual(last?.type === "turn.completed" && last.stopReason, "cancelled", "the agent was asked")
      yield* groupEnds(Number(agent))
    })
  )

  it.live("kills everything at once on the second Ctrl-C, whatever it ignores", () =>
    Effect.gen(function* () {
      // Deaf to cancels, deaf to SIGTERM, and with a child that outlives it.
      const env = {
        PATH: `${agentsFolder}:${process.env["PATH"]}`,
        FAKE_CURSOR_STATE: temporaryFolder("cursor"),
        FAKE_CURSOR_QUIRKS: "cancel_notification_ignored,ignore_sigterm,worker_child",
        FAKE_CURSOR_TIME_SCALE: "0.1"
      }
      const run = yield* start(["run", "--json", "[[fake:stream n=100000 ms=500]]"], { env })
      const [, agent] = yield* run.says(/"pid":(\d+)/)
      yield* run.says(/message\.delta/)
      assert.isTrue(groupLives(Number(agent)))
      const before = performance.now()
      run.kill("SIGINT")
      yield* run.says(/stopping/)
      run.kill("SIGINT")
      const ended = yield* run.ended
      // A cancel that is not heard would be waited for 8 seconds.
      assert.isBelow(performance.now() - before, 2500)
      assert.strictEqual(ended.code, 3, ended.stderr)
      assert.strictEqual(eventsOf(ended).at(-1)?.type, "turn.completed")
      yield* groupEnds(Number(agent))
    })
  )

  it.live("can be interrupted through the launcher, by its own pid", () =>
    Effect.gen(function* () {
      const run = yield* start(play([{ text: "working" }, { waitForCancel: true }]), { program: launcher })
      yield* run.says(/working/)
      run.kill("SIGINT")
      assert.strictEqual((yield* run.ended).code, 3)
      const version = yield* call(["--version"], { program: launcher })
      assert.match(version.stdout, /^\d+\.\d+\.\d+\n$/)
    })
  )
})

describe("signalbox doctor", () => {
  it.live("tells what is there, what is missing and what to do", () =>
    Effect.gen(function* () {
      const bare = temporaryFolder("path")
      const installed = temporaryFolder("path")
      symlinkSync(join(agentsFolder, "cursor-agent"), join(installed, "cursor-agent"))
      const system = "/usr/bin:/bin"
      const [without, withCursor, loggedOut, noState] = yield* Effect.forEach(
        [
          call(["doctor"], { env: { PATH: `${bare}:${system}` } }),
          call(["doctor"], { env: { PATH: `${installed}:${system}` } }),
          call(["doctor"], { env: { PATH: `${installed}:${system}`, FAKE_CURSOR_AUTH: "none" } }),
          call(["doctor", "--state-dir", join(launcher, "state")], { env: { PATH: `${bare}:${system}` } })
        ],
        (doctor) => doctor,
        { concurrency: 2 }
      )
      assert.strictEqual(without!.code, 0, "Eliza and the simulation can run")
      assert.match(without!.stdout, /Cursor \(cursor\): cannot run/)
      assert.include(without!.stdout, "curl https://cursor.com/install -fsS | bash")
      assert.include(without!.stdout, process.version)
      assert.match(without!.stdout, /Eliza \(eliza\): ready/)

      assert.match(withCursor!.stdout, /Cursor \(cursor\): ready/)
      assert.include(withCursor!.stdout, join(installed, "cursor-agent"))
      assert.match(withCursor!.stdout, /version\s+✓ 2026\./)

      assert.match(loggedOut!.stdout, /Cursor \(cursor\): can run, but/)
      assert.match(loggedOut!.stdout, /login/)

      assert.strictEqual(noState!.code, 1)
      assert.match(noState!.stdout, /--state-dir/)
      for (const ended of [without!, withCursor!, loggedOut!, noState!]) assertReadable(ended)
    })
  )
})

describe("signalbox serve", () => {
  it.live("takes a prompt over its socket, brings the answer, and takes its agents along when it ends", () =>
    Effect.gen(function* () {
      const server = yield* start(["--port", "0"])
      const [, port, token] = yield* server.says(/:(\d+)\/#token=([\w-]{43})/)
      const threadId = ThreadId.make("t1")
      const cwd = temporaryFolder("project")
      const view = yield* Effect.gen(function* () {
        const client = yield* RpcClient.make(SignalboxRpc)
        const send = (id: string, command: ThreadCommand) =>
          client.send({ commandId: CommandId.make(id), threadId, command })
        yield* send("c1", { type: "thread.create", provider: ProviderId.make("eliza"), cwd })
        const prompt = [{ type: "text" as const, text: "I am sad" }] as const
        yield* send("c2", { type: "turn.start", turnId: TurnId.make("turn-1"), prompt })
        let state: ThreadView | undefined
        yield* client.watchThread({ threadId }).pipe(
          Stream.map((frame) => (frame.type === "snapshot" ? frame.view : ThreadProjection.apply(state, frame.events))),
          Stream.tap((next) => Effect.sync(() => (state = next))),
          Stream.takeUntil(({ turns }) => turns[0]?.status === "completed"),
          Stream.runDrain
        )
        return state
      }).pipe(Effect.provide(clientLayer(Number(port), { authorization: `Bearer ${token}` })))
      const words = view?.items.find((item) => item.type === "message")
      assert.isAbove(words?.type === "message" ? words.text.length : 0, 0)
      const agent = view?.session.pid ?? 0
      assert.isTrue(groupLives(agent))

      const before = performance.now()
      server.kill("SIGINT")
      assert.strictEqual((yield* server.ended).code, 0)
      assert.isBelow(performance.now() - before, 3000)
      yield* groupEnds(agent)
    })
  )

  it.live("prints its link, keeps others out of its state, and is gone when it is told", () =>
    Effect.gen(function* () {
      const state = temporaryFolder("state")
      const server = yield* start(["--port", "0", "--state-dir", state])
      const [, url, token] = yield* server.says(/(http:\/\/127\.0\.0\.1:\d+)\/#token=([\w-]{43})/)
      const file = join(state, "server.json")
      assert.deepStrictEqual(JSON.parse(readFileSync(file, "utf8")), { url, pid: server.pid, token })
      assert.strictEqual(statSync(file).mode & 0o777, 0o600)
      assert.strictEqual(statSync(join(state, "signalbox.sqlite")).mode & 0o777, 0o600)

      const second = yield* call(["serve", "--port", "0", "--state-dir", state])
      assert.strictEqual(second.code, 1)
      assert.match(second.stderr, /Another Signalbox server is using this state folder/)

      const port = new URL(url ?? "").port
      const taken = yield* call(["serve", "--port", port])
      assert.strictEqual(taken.code, 1)
      assert.include(taken.stderr, `127.0.0.1:${port}`)
      assertReadable(taken)

      const before = performance.now()
      server.kill("SIGTERM")
      const ended = yield* server.ended
      assert.strictEqual(ended.code, 0, ended.stderr)
      assert.isBelow(performance.now() - before, 3000)
      assert.throws(() => statSync(file), /ENOENT/)
    })
  )
})
