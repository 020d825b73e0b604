/** How a long thread, and the long texts in it, are had piece by piece. */
import { Cursor, ItemId } from "@signalbox/contracts/Ids"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { toolCall } from "../../support/ThreadEvents.ts"
import { databaseFile, messageText, type Server, statusOf, turnId } from "../../support/ThreadsHarness.ts"
import { exported, withAllEarlier } from "../../support/WholeThread.ts"
import { a, assertSame, type Boot, first, lettingGo, settled, shown } from "./Words.ts"

export const windows = (boot: Boot): void => {
  const server = Effect.flatMap(databaseFile, boot)

  describe("windows", () => {
    /** A thread of 45 turns with two or more entries each. */
    const long = Effect.gen(function* () {
      const file = yield* databaseFile
      const running = yield* boot(file)
      yield* running.create(a)
      yield* lettingGo(running, a)
      for (let n = 1; n <= 45; n++) yield* running.prompt(a, turnId(`turn-${n}`), n % 9 === 0 ? "refuse" : `say ${n}`)
      yield* settled(running, a, 20)
      yield* running.ended(a, turnId("turn-45"))
      return { file, running }
    })

    it.live("hold so many turns, and together with the pages before them all of the thread", () =>
      Effect.gen(function* () {
        const { file, running } = yield* long
        const check = Effect.fnUntraced(function* (to: Server) {
          const whole = yield* exported(to.threads, a)
          assert.lengthOf(whole.turns, 45)
          for (const [turnLimit, expected] of [
            [undefined, 20],
            [1, 1],
            [7, 7],
            [44, 44],
            [45, 45],
            [200, 45]
          ] as const) {
            const window = yield* shown(to, a, turnLimit)
            assert.lengthOf(window.turns, expected)
            assert.strictEqual(window.earlier === undefined, expected === 45)
            const own = new Set<string | undefined>(window.turns.map(({ turnId }) => turnId))
            for (const item of window.items) assert.isTrue(item.turnId === undefined || own.has(item.turnId))
            for (const pages of [undefined, 1, 6, 100]) {
              assertSame(yield* withAllEarlier(to.threads, window, pages), whole, `${turnLimit}, pages of ${pages}`)
            }
          }
        })
        yield* check(running)
        yield* running.stop
        yield* check(yield* boot(file))
      })
    )

    it.live("have cursors that stay good: while the thread goes on, and in the next run of the server", () =>
      Effect.gen(function* () {
        const { file, running } = yield* long
        const { earlier } = yield* shown(running, a, 5)
        assert.isDefined(earlier)
        const page = (to: Server) => to.threads.earlier(a, earlier, 10)
        const before = yield* page(running)
        assert.lengthOf(before.turns, 10)
        yield* running.prompt(a, turnId("more"), "flood 3000; say more")
        assert.deepStrictEqual(yield* page(running), before)
        yield* running.ended(a, turnId("more"))
        assert.deepStrictEqual(yield* page(running), before)
        yield* running.kill
        const after = yield* boot(file)
        assert.deepStrictEqual(yield* page(after), before)
        assert.deepStrictEqual(yield* after.threads.earlier(a, Cursor.make("nonsense")), { turns: [], items: [] })
      })
    )

    it.live("hold at most 2,000 entries, and no more does a page", () =>
      Effect.gen(function* () {
        const { create, provider, threads, until } = yield* server
        yield* create(a)
        yield* provider.emit(
          a,
          Array.from({ length: 4500 }, (_, n) => ({ type: "runtime.warning" as const, message: `${n}` }))
        )
        yield* until(a, ({ sequence }) => sequence === 4501)
        const window = yield* shown({ threads }, a, 200)
        assert.lengthOf(window.items, 2000)
        assert.lengthOf((yield* threads.earlier(a, window.earlier!, 200)).items, 2000)
        const whole = yield* withAllEarlier(threads, window)
        assert.deepStrictEqual(
          whole.items.map((item) => (item.type === "warning" ? item.message : undefined)),
          Array.from({ length: 4500 }, (_, n) => `${n}`)
        )
      })
    )

    it.live("show what came late to a turn long past", () =>
      Effect.gen(function* () {
        const { file, running } = yield* long
        const itemId = ItemId.make(`${first}:late`)
        const late = { turnId: first, late: true as const, itemId }
        const before = yield* exported(running.threads, a)
        yield* running.provider.emit(a, [
          { type: "tool.started", ...late, tool: toolCall({ toolCallId: "late" }) },
          { type: "message.delta", ...late, itemId: ItemId.make(`${first}:assistant`), offset: 1, text: "!" },
          { type: "tool.completed", ...late, tool: toolCall({ toolCallId: "late", status: "completed" }) }
        ])
        yield* running.until(a, ({ sequence }) => sequence === before.sequence + 3)
        const check = Effect.fnUntraced(function* (to: Server) {
          const view = yield* withAllEarlier(to.threads, yield* shown(to, a))
          const item = view.items.find((entry) => entry.itemId === itemId)
          assert.strictEqual(item?.late, true)
          assert.strictEqual(item?.type === "tool" ? item.tool.status : undefined, "completed")
          assert.strictEqual(messageText(view, first), "1!")
          assert.strictEqual(statusOf(view, first), "completed")
          assert.lengthOf(view.items, before.items.length + 1)
        })
        yield* check(running)
        yield* running.stop
        yield* check(yield* boot(file))
      })
    )
  })

  describe("long texts", () => {
    const itemId = ItemId.make("call")
    const counted = (length: number) => Array.from({ length }, (_, n) => `${n} `).join("")
    const told = (stdout: string) => ({
      type: "tool.updated" as const,
      itemId,
      tool: toolCall({ result: { stdout, exitCode: 0 } })
    })

    it.live("travel as their beginning, and are read in full: as they grow, and after a restart", () =>
      Effect.gen(function* () {
        const file = yield* databaseFile
        const running = yield* boot(file)
        yield* running.create(a)
        const read = ({ threads }: Server) => Stream.mkString(threads.output(a, itemId, "stdout"))
        const stdoutOf = (view: ThreadView) => {
          const item = view.items.find((entry) => entry.itemId === itemId)
          return item?.type === "tool" ? item.tool.result?.stdout : undefined
        }
        for (const length of [10_000, 30_000]) {
          const text = counted(length)
          yield* running.provider.emit(a, [told(text)])
          yield* running.until(a, (view) => {
            const item = view.items.find((entry) => entry.itemId === itemId)
            return item?.type === "tool" && item.tool.long?.[0]?.length === text.length
          })
          assert.strictEqual(stdoutOf(yield* shown(running, a)), text.slice(0, 8192))
          assert.isTrue((yield* read(running)) === text)
          assert.isTrue(stdoutOf(yield* exported(running.threads, a)) === text)
        }
        for (const [unknown, part] of [
          [itemId, "stderr"],
          [ItemId.make("other"), "stdout"]
        ] as const) {
          const error = yield* Effect.flip(Stream.runDrain(running.threads.output(a, unknown, part)))
          assert.strictEqual(error._tag, "OutputNotFound")
        }
        yield* running.kill
        assert.isTrue((yield* read(yield* boot(file))) === counted(30_000))
      })
    )
  })
}
