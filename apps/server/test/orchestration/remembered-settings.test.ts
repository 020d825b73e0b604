/** What people choose in a thread is there for the next one of the same agent in the same folder. */
import type { ThreadCommand } from "@signalbox/contracts/Command"
import { ResumeToken, type ThreadId } from "@signalbox/contracts/Ids"
import type { SettingValue } from "@signalbox/contracts/SessionSetting"
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { RememberedSettings } from "../../src/storage/RememberedSettings.ts"
import { fake } from "../support/FakeProvider.ts"
import { boot, databaseFile, threadId } from "../support/ThreadsHarness.ts"

type Server = Effect.Success<ReturnType<typeof boot>>

const set = (settingId: string, value: SettingValue): ThreadCommand => ({ type: "setting.set", settingId, value })

/** The settings with which the agent of a new thread is started. */
const begunWith = Effect.fnUntraced(function* (
  { provider, send, until }: Pick<Server, "provider" | "send" | "until">,
  name: string,
  more: Partial<Extract<ThreadCommand, { readonly type: "thread.create" }>> = {}
) {
  const thread = threadId(name)
  yield* send(thread, { type: "thread.create", provider: fake.id, cwd: "/tmp", ...more })
  yield* send(thread, { type: "session.start" })
  yield* until(thread, ({ session }) => session.state === "ready")
  return provider.starts.findLast((start) => start.threadId === thread)?.settings
})

/** The setting, once the agent has it. */
const chosen = Effect.fnUntraced(function* (
  { send, until }: Pick<Server, "send" | "until">,
  thread: ThreadId,
  settingId: string,
  value: SettingValue
) {
  yield* send(thread, set(settingId, value))
  yield* until(thread, ({ settings }) =>
    settings.some((setting) => setting.id === settingId && "value" in setting && setting.value === value)
  )
})

const started = Effect.fnUntraced(function* (file: string) {
  const server = yield* boot(file)
  yield* begunWith(server, "first")
  return { ...server, remembered: Context.get(server.context, RememberedSettings) }
})

describe("a setting that a person chose", () => {
  it.live("is what the next thread of this agent in this folder begins with, also after a restart; others do not", () =>
    Effect.gen(function* () {
      const file = yield* databaseFile
      const before = yield* started(file)
      yield* chosen(before, threadId("first"), "mode", "plan")
      yield* chosen(before, threadId("first"), "fast", true)
      assert.deepStrictEqual(yield* begunWith(before, "second"), { mode: "plan", fast: true })
      assert.deepStrictEqual(yield* begunWith(before, "elsewhere", { cwd: "/" }), {})
      yield* chosen(before, threadId("second"), "fast", false)
      yield* before.kill
      const after = yield* boot(file)
      assert.deepStrictEqual(yield* begunWith(after, "third"), { mode: "plan", fast: false })
      const { desired, remembered } = yield* after.until(threadId("third"), () => true)
      assert.deepStrictEqual(
        [desired, remembered],
        [
          { mode: "plan", fast: false },
          { mode: "plan", fast: false }
        ]
      )
    })
  )

  it.live("gives way to what a thread is created with, and is nothing to a session that was there before", () =>
    Effect.gen(function* () {
      const server = yield* started(yield* databaseFile)
      yield* chosen(server, threadId("first"), "mode", "plan")
      yield* chosen(server, threadId("first"), "fast", true)
      assert.deepStrictEqual(yield* begunWith(server, "second", { settings: { mode: "agent" } }), {
        mode: "agent",
        fast: true
      })
      const from = { type: "import" as const, sessionId: ResumeToken.make("kept") }
      assert.deepStrictEqual(yield* begunWith(server, "imported", { from }), {})
    })
  )

  it.live("is not remembered when the agent refuses it, but what was chosen before", () =>
    Effect.gen(function* () {
      const server = yield* started(yield* databaseFile)
      yield* chosen(server, threadId("first"), "mode", "plan")
      yield* server.send(threadId("first"), set("mode", "stubborn"))
      yield* server.until(threadId("first"), ({ items }) => items.some(({ type }) => type === "problem"))
      assert.deepStrictEqual(yield* begunWith(server, "second"), { mode: "plan" })
    })
  )

  it.live("can be looked up and forgotten: one by one, by folder, by agent, all", () =>
    Effect.gen(function* () {
      const { remembered, ...server } = yield* started(yield* databaseFile)
      yield* begunWith(server, "elsewhere", { cwd: "/" })
      for (const [thread, settingId, value] of [
        ["first", "mode", "plan"],
        ["first", "fast", true],
        ["elsewhere", "fast", true]
      ] as const)
        yield* chosen(server, threadId(thread), settingId, value)
      const listed = Effect.map(remembered.list({}), (rows) =>
        rows.map(({ cwd, providerId, settingId, value }) => [providerId, cwd, settingId, value])
      )
      assert.deepStrictEqual(yield* listed, [
        [fake.id, "/", "fast", true],
        [fake.id, "/tmp", "fast", true],
        [fake.id, "/tmp", "mode", "plan"]
      ])
      assert.strictEqual(yield* remembered.forget({ cwd: "/tmp", settingId: "fast" }), 1)
      assert.deepStrictEqual(yield* begunWith(server, "second"), { mode: "plan" })
      assert.strictEqual(yield* remembered.forget({ cwd: "/nowhere" }), 0)
      assert.strictEqual(yield* remembered.forget({ providerId: fake.id }), 2)
      assert.deepStrictEqual(yield* listed, [])
    })
  )
})
