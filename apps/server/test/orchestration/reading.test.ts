/** What is read of a thread while its lane is taken: as it is when the lane is free, not as it was when somebody asked. */
import { BootId } from "@signalbox/contracts/Ids"
import type { ThreadEvent } from "@signalbox/contracts/ThreadEvent"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Semaphore from "effect/Semaphore"
import { cursorAt } from "../../src/orchestration/Cursors.ts"
import * as ThreadFeed from "../../src/orchestration/ThreadFeed.ts"
import * as ThreadLog from "../../src/orchestration/ThreadLog.ts"
import * as ThreadReading from "../../src/orchestration/ThreadReading.ts"
import * as ThreadState from "../../src/orchestration/ThreadState.ts"
import * as Databases from "../support/Databases.ts"
import { begun, created, threadId, told, toolCall, warning } from "../support/ThreadEvents.ts"

describe("a page before a window", () => {
  it.live("shows what changed while it waited for the lane", () =>
    Effect.gen(function* () {
      const { store } = yield* Databases.fresh
      const state = ThreadState.make(threadId)
      const feed = ThreadFeed.make(
        () => state.head,
        () => undefined
      )
      const log = ThreadLog.make(state, store, feed)
      const lane = Semaphore.makeUnsafe(1)
      const reading = ThreadReading.make({ bootId: BootId.make("boot"), state, store, lane, feed, log })
      const take = (events: ReadonlyArray<ThreadEvent>) =>
        Effect.flatMap(log.stage(events), (step) =>
          Effect.andThen(
            store.commit([step.commit]),
            Effect.sync(() => log.adopt(step))
          )
        )
      yield* take([created, ...begun, told("tool.started", toolCall()), warning("one"), warning("two")])
      yield* log.fold

      yield* Semaphore.take(lane, 1)
      const asked = yield* Effect.forkChild(reading.earlier(cursorAt(4), 10), { startImmediately: true })
      yield* take([told("tool.completed", toolCall({ status: "completed", endedAt: 2 }))])
      yield* Semaphore.release(lane, 1)

      const { items } = yield* Fiber.join(asked)
      const tool = items.find((item) => item.type === "tool")
      assert.strictEqual(tool?.tool.status, "completed")
    }).pipe(Effect.scoped)
  )
})
