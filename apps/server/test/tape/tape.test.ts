import { assert, describe, it } from "@effect/vitest"
import { ProviderSessionId, ThreadId } from "@signalbox/contracts/Ids"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import * as Redaction from "@signalbox/redaction/Redaction"
import * as Tape from "../../src/tape/Tape.ts"
import { cursorHarness, temporaryFolder, thread } from "../support/AgentHarness.ts"

const session = { threadId: ThreadId.make("t/../1"), providerSessionId: ProviderSessionId.make("p1"), env: {} }

/** Opens a tape, uses it, and closes it. */
const taped = <A>(
  layer: Layer.Layer<Tape.Tape>,
  use: (tape: Tape.SessionTape) => A,
  env: Readonly<Record<string, string>> = {}
): Effect.Effect<A> =>
  Effect.gen(function* () {
    return use(yield* (yield* Tape.Tape).open({ ...session, env }))
  }).pipe(Effect.scoped, Effect.provide(layer, { local: true }))

const line = (message: unknown) => JSON.stringify(message)
const update = { jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", update: { text: "ü" } } }

const read = (path: string) =>
  readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((text): { at: number; dir: string; line: unknown } => JSON.parse(text))

describe("a tape", () => {
  it.live("holds every line both ways, stderr and notes, each with its time, for its owner only", () =>
    Effect.gen(function* () {
      const folder = join(yield* temporaryFolder, "tapes")
      yield* taped(Tape.layer({ folder }), (tape) => {
        tape.note({ event: "start", argv: ["agent", "acp"], cwd: "/w", envNames: ["A"], pid: 7 })
        tape.wire("out", line({ id: 0, method: "initialize" }), { id: 0, method: "initialize" }, 1)
        tape.stderr("warming up")
        tape.wire("in", line(update), update, 2)
        tape.wire("in", "no json", undefined, 3)
        tape.note({ event: "exit", exitCode: 0 })
      })
      const [name = ""] = readdirSync(folder)
      assert.strictEqual(name, "t%2F..%2F1-p1.ndjson")
      assert.strictEqual(statSync(folder).mode & 0o777, 0o700)
      assert.strictEqual(statSync(join(folder, name)).mode & 0o777, 0o600)
      const lines = read(join(folder, name))
      assert.deepStrictEqual(
        lines.map(({ dir, line }) => [dir, line]),
        [
          ["note", { event: "start", argv: ["agent", "acp"], cwd: "/w", envNames: ["A"], pid: 7, format: 1 }],
          ["out", { id: 0, method: "initialize" }],
          ["err", "warming up"],
          ["in", update],
          ["in", "no json"],
          ["note", { event: "exit", exitCode: 0 }]
        ]
      )
      assert.isTrue(lines.every(({ at }) => Math.abs(at - Date.now()) < 60_000))
    })
  )

  it.live("knows where it has put each line of the wire", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      yield* taped(Tape.layer({ folder }), (tape) => {
        tape.note({ event: "exit" })
        tape.wire("in", line(update), update, 1)
        tape.stderr("a")
        tape.stderr("b")
        tape.wire("in", line(update), update, 2)
        tape.wire("out", line(update), update, 3)
        assert.deepStrictEqual([1, 2, 3].map(tape.lineOf), [2, 5, 6])
      })
    })
  )

  it.live("a folder that cannot be written costs the tape and nothing else", () =>
    taped(Tape.layer({ folder: "/etc/passwd/tapes" }), (tape) => {
      tape.wire("in", line(update), update, 1)
      assert.isUndefined(tape.lineOf(1))
    })
  )

  it.live("of a file holds all sessions, one after the other", () =>
    Effect.gen(function* () {
      const path = join(yield* temporaryFolder, "run.ndjson")
      yield* Effect.gen(function* () {
        const tapes = yield* Tape.Tape
        const one = yield* tapes.open(session)
        one.wire("in", line(update), update, 1)
        const two = yield* tapes.open(session)
        two.wire("in", line(update), update, 1)
        assert.deepStrictEqual([one.lineOf(1), two.lineOf(1)], [1, 2])
      }).pipe(Effect.scoped, Effect.provide(Tape.layerFile({ path })))
      assert.strictEqual(read(path).length, 2)
    })
  )

  it.live("never holds the secrets of our own environment, whatever the agent says of them", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const secret = 'crsr_0123"456789'
      yield* Effect.acquireRelease(
        Effect.sync(() => (process.env["SIGNALBOX_TEST_API_KEY"] = secret)),
        () => Effect.sync(() => delete process.env["SIGNALBOX_TEST_API_KEY"])
      )
      const printed = { ...update, params: { ...update.params, update: { rawOutput: { stdout: `KEY=${secret}` } } } }
      yield* taped(Tape.layer({ folder }), (tape) => {
        tape.wire("in", line(printed), printed, 1)
        tape.wire("in", `KEY=${secret}`, undefined, 2)
        tape.stderr(`KEY=${secret}`)
      })
      const text = readdirSync(folder)
        .map((name) => readFileSync(join(folder, name), "utf8"))
        .join("")
      assert.notInclude(text, "456789")
      assert.strictEqual(text.split("KEY=[redacted]").length, 4)
    })
  )

  it.live("[18] never holds secrets", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const secret = "sk-live-0123456789"
      const created = {
        id: 1,
        method: "session/new",
        params: {
          cwd: "/w",
          mcpServers: [
            { name: "a", command: "x", args: [], env: [{ name: "KEY", value: secret }] },
            { name: "b", url: "https://b", headers: [{ name: "Authorization", value: secret }], type: "http" }
          ]
        }
      }
      const login = { id: 2, method: "authenticate", params: { methodId: "m", apiKey: secret } }
      const refused = {
        id: 2,
        error: { code: -32602, message: `see https://c.example/login?challenge=${secret}&mode=x` }
      }
      const notes = yield* taped(
        Tape.layer({ folder }),
        (tape) => {
          tape.note({
            event: "start",
            argv: ["agent", "--api-key", secret, `--auth-token=${secret}`, "-H", `Authorization: ${secret}`, "acp"],
            cwd: "/w",
            envNames: ["CURSOR_API_KEY"],
            pid: 1
          })
          tape.wire("out", line(created), created, 1)
          tape.wire("out", line(login), login, 2)
          tape.wire("in", line(refused), refused, 3)
          tape.stderr(`using key ${secret}`)
        },
        { CURSOR_API_KEY: secret }
      ).pipe(Effect.map(() => readFileSync(join(folder, readdirSync(folder)[0] ?? ""), "utf8")))
      assert.notInclude(notes, secret)
      assert.include(notes, '"name":"KEY"')
      assert.include(notes, "mode=x")
      assert.include(notes, Redaction.redacted)
    })
  )

  it.live("events point to the lines that they came from", () =>
    Effect.gen(function* () {
      const tapes = yield* temporaryFolder
      const agent = yield* cursorHarness({ tapes })
      yield* agent.start()
      yield* agent.turn("t1", "[[fake:read path=README.md]] [[fake:echo]]")
      yield* agent.adapter.stopSession(thread)
      const [name = ""] = readdirSync(tapes)
      const lines = read(join(tapes, name))
      assert.deepInclude(lines[0]?.line, { event: "start" })
      assert.deepInclude(lines.at(-1)?.line, { event: "exit" })
      const [started] = agent.of("tool.started")
      const told = JSON.stringify(lines[(started?.tapeLine ?? 0) - 1]?.line)
      assert.include(told, '"sessionUpdate":"tool_call"')
      const end = agent.of("turn.completed")[0]
      assert.include(JSON.stringify(lines[(end?.tapeLine ?? 0) - 1]?.line), '"stopReason":"end_turn"')
      for (const { tapeLine, text } of agent.of("message.delta")) {
        const first = JSON.stringify(lines[(tapeLine ?? 0) - 1]?.line)
        assert.include(first, "agent_message_chunk")
        assert.include(first, JSON.stringify(text.slice(0, 1)).slice(1, -1))
      }
    })
  )
})
