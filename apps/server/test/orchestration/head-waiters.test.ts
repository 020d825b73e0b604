/** Those who wait for a state of a thread: none of them misses it, wherever the scheduler cuts in. */
import { Sequence } from "@signalbox/contracts/Ids"
import type { ThreadHead } from "@signalbox/contracts/ThreadView"
import * as ThreadProjection from "@signalbox/threads/ThreadProjection"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { MaxOpsBeforeYield } from "effect/References"
import * as HeadWaiters from "../../src/orchestration/HeadWaiters.ts"
import { created, logged } from "../support/ThreadEvents.ts"

const { items: _, ...first } = ThreadProjection.apply(undefined, logged(0, [created]))
const next: ThreadHead = { ...first, sequence: Sequence.make(2) }

const turns = (count: number) => Effect.repeat(Effect.yieldNow, { times: count })

describe("who waits for a state", () => {
  it.effect("does not miss one that comes while the waiting begins", () =>
    Effect.gen(function* () {
      for (let ops = 4; ops <= 16; ops++) {
        for (let delay = 0; delay <= 12; delay++) {
          let head = first
          const waiters = HeadWaiters.make(() => head)
          const waiting = yield* waiters
            .until(({ sequence }) => sequence === 2)
            .pipe(Effect.provideService(MaxOpsBeforeYield, ops), Effect.forkChild)
          yield* turns(delay)
          head = next
          waiters.see(head)
          yield* turns(40)
          assert.isDefined(waiting.pollUnsafe(), `after ${delay} turns, at most ${ops} operations each`)
        }
      }
    })
  )

  it.effect("waits no more once the thread has ended, nor does anyone who comes later", () =>
    Effect.gen(function* () {
      const waiters = HeadWaiters.make(() => first)
      const never = waiters.until(() => false)
      const waiting = yield* Effect.forkChild(never, { startImmediately: true })
      assert.isUndefined(waiting.pollUnsafe())
      waiters.end()
      yield* Effect.andThen(turns(5), never)
      assert.isDefined(waiting.pollUnsafe())
    })
  )
})
