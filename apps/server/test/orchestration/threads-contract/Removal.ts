/** What is left of a thread that is removed: nothing. */
import { Cursor, ItemId, Sequence } from "@signalbox/contracts/Ids"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Stream from "effect/Stream"
import { databaseFile, messageText, type Server, statusOf } from "../../support/ThreadsHarness.ts"
import { a, answered, b, type Boot, first, rename, shown } from "./Words.ts"

export const removal = (boot: Boot): void => {
  const server = Effect.flatMap(databaseFile, boot)

  describe("a removed thread", () => {
    it.live("is gone: its agent ends, those who watch are told, and nothing of it is left", () =>
      Effect.gen(function* () {
        const file = yield* databaseFile
        const running = yield* boot(file)
        const { create, prompt, provider, send, threads, until } = running
        yield* create(a)
        yield* create(b)
        yield* prompt(a, first, "say something; hang")
        yield* until(a, (view) => messageText(view, first) === "something" && statusOf(view, first) === "working")
        const begun = yield* Latch.make()
        const watching = yield* Effect.forkChild(Effect.flip(Stream.runForEach(threads.watch(a), () => begun.open)))
        const listing = yield* Latch.make()
        const removed = yield* threads.watchAll.pipe(
          Stream.tap(() => listing.open),
          Stream.filter((frame) => frame.type === "changed" && frame.removed !== undefined),
          Stream.runHead,
          Effect.flatMap(Effect.fromOption),
          Effect.forkChild
        )
        yield* Effect.all([begun.await, listing.await])
        yield* threads.remove(a)
        assert.strictEqual((yield* Fiber.join(watching))._tag, "ThreadNotFound")
        assert.deepStrictEqual(yield* Fiber.join(removed), { type: "changed", threads: [], removed: [a] })
        assert.notInclude(provider.running(), a)
        yield* threads.remove(a)
        const check = Effect.fnUntraced(function* (to: Server) {
          assert.match(yield* answered(to.send(a, rename("Back"))), /^There is no such thread/)
          const asked = [
            Stream.runDrain(to.threads.watch(a)),
            Stream.runDrain(to.threads.export(a)),
            Stream.runDrain(to.threads.output(a, ItemId.make("x"), "stdout")),
            Effect.asVoid(to.threads.earlier(a, Cursor.make("MQ")))
          ]
          for (const asking of asked) assert.strictEqual((yield* Effect.flip(asking))._tag, "ThreadNotFound")
          const [list] = yield* Stream.runCollect(Stream.take(to.threads.watchAll, 1))
          assert.deepStrictEqual(
            list?.threads.map(({ threadId }) => threadId),
            [b]
          )
        })
        yield* check(running)
        yield* send(b, rename("Still here"))
        yield* running.kill
        yield* check(yield* boot(file))
      })
    )

    it.live("only as it is known, where that is asked for", () =>
      Effect.gen(function* () {
        const { create, send, threads } = yield* server
        yield* create(a)
        const { sequence } = yield* shown({ threads }, a)
        yield* send(a, rename("Went on"))
        const error = yield* Effect.flip(threads.remove(a, sequence))
        assert.strictEqual(error._tag, "ThreadChanged")
        yield* send(a, rename("And on"))
        yield* threads.remove(a, Sequence.make(sequence + 2))
        assert.match(yield* answered(send(a, rename("Back"))), /^There is no such thread/)
      })
    )
  })
}
