/** What can be chosen about a session, on the command line: listed for a run, and remembered for threads. */
import { ThreadId } from "@signalbox/contracts/Ids"
import { ProviderId } from "@signalbox/contracts/Provider"
import { SessionSetting } from "@signalbox/contracts/SessionSetting"
import { SignalboxRpc } from "@signalbox/contracts/Rpc"
import * as ThreadProjection from "@signalbox/threads/ThreadProjection"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as RpcClient from "effect/rpc/RpcClient"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { connect, reachable, sender } from "./support/Conversation.ts"
import { assertReadable } from "./support/Runs.ts"
import { call, scriptedAgent, start, temporaryFolder } from "./support/Signalbox.ts"

const decode = Schema.decodeSync(Schema.fromJsonString(SessionSetting))

const offering = (configOptions: ReadonlyArray<object>) => ({
  env: { SCRIPTED_AGENT: JSON.stringify({ newSession: { configOptions }, dependentOptions: { model: { big } } }) }
})

const model = {
  type: "select",
  id: "model",
  name: "Model",
  category: "model",
  currentValue: "small",
  options: [
    { group: "a", name: "Ours", options: [{ value: "small", name: "Small\u001b[31m one" }] },
    { group: "b", name: "Theirs", options: [{ value: "big", name: "Big" }] }
  ]
}
const big = [
  model,
  {
    type: "select",
    id: "effort",
    name: "Effort",
    currentValue: "none",
    options: [{ value: "high", name: "High" }]
  }
]
const fast = { type: "boolean", id: "fast", name: "Fast mode", currentValue: false }
const dial = { type: "dial", id: "volume", name: "Volume" }

describe("signalbox run --list-settings", () => {
  const list = (...args: ReadonlyArray<string>) => ["run", "--agent", scriptedAgent, "--list-settings", ...args]

  it.live("is a table of what --set takes, in the agent's order, and what it is now", () =>
    Effect.gen(function* () {
      const told = yield* call(list(), offering([model, fast, dial]))
      assert.deepStrictEqual([told.code, told.stderr], [0, ""])
      assert.deepStrictEqual(told.stdout.split("\n"), [
        "SETTING  NOW  VALUE  NAME                                       GROUP",
        "model    *    small  Small one                                  Ours",
        "model         big    Big                                        Theirs",
        "fast          true   Fast mode",
        "fast     *    false",
        "volume               Volume (of a kind that is not known here)",
        ""
      ])
    })
  )

  it.live("shows what comes of a choice, also a value that the agent is at and does not offer", () =>
    Effect.gen(function* () {
      const { stdout } = yield* call(list("--model", "big"), offering([model, fast]))
      assert.deepStrictEqual(
        stdout.split("\n").map((line) => line.trimEnd()),
        [
          "SETTING  NOW  VALUE  NAME           GROUP",
          "model         small  Small one      Ours",
          "model    *    big    Big            Theirs",
          "effort   *    none   (not offered)",
          "effort        high   High",
          ""
        ]
      )
    })
  )

  it.live("is a setting a line for programs", () =>
    Effect.gen(function* () {
      const { stdout } = yield* call(list("--json"), offering([model, fast]))
      const settings = stdout
        .trimEnd()
        .split("\n")
        .map((line) => decode(line))
      assert.deepStrictEqual(
        settings.map(({ id, type }) => [id, type]),
        [
          ["model", "select"],
          ["fast", "boolean"]
        ]
      )
    })
  )

  it.live("says where there is nothing to choose, and what went wrong", () =>
    Effect.gen(function* () {
      const nothing = yield* call(list(), offering([]))
      assert.deepStrictEqual([nothing.code, nothing.stdout], [0, ""])
      assert.match(nothing.stderr, /offers no settings/)
      const both = yield* call(list("hello"))
      assert.deepStrictEqual([both.code, both.stdout], [2, ""])
      assert.match(both.stderr, /sends no prompt/)
      const locked = yield* call(list(), { env: { SCRIPTED_AGENT: JSON.stringify({ authRequired: true }) } })
      assert.deepStrictEqual([locked.code, locked.stdout], [5, ""])
      assertReadable(locked)
      const silent = yield* call(["run", "--agent", "sleep 100", "--timeout", "1", "--list-settings"])
      assert.deepStrictEqual([silent.code, silent.stdout], [6, ""])
      const neither = yield* call(["run"])
      assert.deepStrictEqual([neither.code, neither.stdout], [2, ""])
      assert.match(neither.stderr, /Give it a prompt/)
    })
  )
})

describe("signalbox settings", () => {
  it.live("are those that a new thread begins with, which says so", () =>
    Effect.gen(function* () {
      const server = yield* start(["serve", "--port", "0"])
      const address = yield* reachable(server)
      yield* Effect.gen(function* () {
        const client = yield* RpcClient.make(SignalboxRpc)
        const send = yield* sender
        const [one, two] = [ThreadId.make("thread-1"), ThreadId.make("thread-2")]
        const create = {
          type: "thread.create" as const,
          provider: ProviderId.make("cursor-simulated"),
          cwd: temporaryFolder("project")
        }
        yield* send(one, create)
        yield* send(one, { type: "setting.set", settingId: "mode", value: "plan" })
        yield* send(two, create)
        yield* send(two, { type: "session.start" })
        const told = yield* client.watchThread({ threadId: two }).pipe(
          Stream.scan(
            (): ThreadView | undefined => undefined,
            (view, frame) => (frame.type === "snapshot" ? frame.view : ThreadProjection.apply(view, frame.events))
          ),
          Stream.filter((view) => view !== undefined && view.items.length > 0),
          Stream.runHead,
          Effect.flatMap(Effect.fromOption)
        )
        assert.deepInclude(told?.items[0], {
          type: "warning",
          message: "As chosen last in this folder: Mode “Plan”."
        })
        const mode = told?.settings.find(({ id }) => id === "mode")
        assert.strictEqual(mode?.type === "select" && mode.value, "plan")
      }).pipe(Effect.provide(connect(address)))
    }).pipe(Effect.scoped)
  )

  it.live("are listed as they were chosen last, and can be forgotten", () =>
    Effect.gen(function* () {
      const state = temporaryFolder("state")
      const project = temporaryFolder("project")
      const server = yield* start(["serve", "--port", "0", "--state-dir", state])
      const address = yield* reachable(server)
      yield* Effect.gen(function* () {
        const client = yield* RpcClient.make(SignalboxRpc)
        const send = yield* sender
        const thread = ThreadId.make("thread-1")
        yield* send(thread, { type: "thread.create", provider: ProviderId.make("eliza"), cwd: project })
        yield* send(thread, { type: "setting.set", settingId: "mode", value: "plan" })
        yield* send(thread, { type: "setting.set", settingId: "fast", value: true })
        const found = yield* client.listRememberedSettings({ filter: { cwd: project, settingId: "fast" } })
        assert.deepStrictEqual(
          found.map(({ value }) => value),
          [true]
        )
      }).pipe(Effect.provide(connect(address)))
      const settings = (...args: ReadonlyArray<string>) => call(["settings", ...args, "--state-dir", state])
      const table = (yield* settings("list")).stdout.split("\n").map((line) => line.split(/ {2,}/))
      assert.deepStrictEqual(table, [
        ["AGENT", "FOLDER", "SETTING", "VALUE"],
        ["eliza", project, "fast", "true"],
        ["eliza", project, "mode", "plan"],
        [""]
      ])
      const unclear = yield* settings("forget")
      assert.deepStrictEqual([unclear.code, unclear.stdout], [2, ""])
      const one = yield* settings("forget", "fast", "--cwd", project)
      assert.deepStrictEqual([one.code, one.stderr], [0, "1 setting is forgotten.\n"])
      const { stdout } = yield* settings("list", "--json", "--provider", "eliza")
      assert.deepInclude(JSON.parse(stdout), { providerId: "eliza", cwd: project, settingId: "mode", value: "plan" })
      assert.strictEqual((yield* settings("forget", "--all")).stderr, "1 setting is forgotten.\n")
      assert.deepStrictEqual((yield* settings("list")).stderr, "Nothing is remembered.\n")
    }).pipe(Effect.scoped)
  )
})
