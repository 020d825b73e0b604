/** When a server that ends by itself is not needed any more. */
import { assert, describe, it } from "@effect/vitest"
import type { ThreadsFrame } from "@signalbox/contracts/ThreadFrame"
import type { TurnStatus } from "@signalbox/contracts/ThreadView"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import * as SubscriptionRef from "effect/SubscriptionRef"
import * as TestClock from "effect/testing/TestClock"
import * as ServerIdle from "../../src/cli/serve/ServerIdle.ts"
import { row } from "./support/KeptThreads.ts"

const stage = Effect.gen(function* () {
  const connected = yield* SubscriptionRef.make(0)
  const frames = yield* Queue.unbounded<ThreadsFrame>()
  const has = (status: TurnStatus) => Queue.offer(frames, { type: "snapshot", threads: [row("one", 0, { status })] })
  yield* has("completed")
  const ended = yield* Effect.forkScoped(
    ServerIdle.lasting({ app: { connected }, threads: { watchAll: Stream.fromQueue(frames) } }, 600_000)
  )
  /** Lets time pass, after what happened was noticed. */
  const pass = (minutes: number) =>
    Effect.andThen(Effect.repeat(Effect.yieldNow, { times: 50 }), TestClock.adjust(minutes * 60_000))
  return { connected, has, pass, isOver: () => ended.pollUnsafe() !== undefined, ended }
})

describe("a server that ends by itself", () => {
  it.effect("goes on with a client, and ends 10 minutes after the last one", () =>
    Effect.gen(function* () {
      const { connected, ended, isOver, pass } = yield* stage
      yield* pass(1)
      yield* SubscriptionRef.set(connected, 2)
      yield* pass(60)
      yield* SubscriptionRef.set(connected, 1)
      yield* pass(60)
      yield* SubscriptionRef.set(connected, 0)
      yield* pass(9)
      yield* SubscriptionRef.set(connected, 1)
      yield* pass(5)
      yield* SubscriptionRef.set(connected, 0)
      yield* pass(9)
      assert.isFalse(isOver())
      yield* pass(1)
      yield* Fiber.join(ended)
    }).pipe(Effect.scoped)
  )

  it.effect("goes on with an agent at work, and not with one that waits for a person", () =>
    Effect.gen(function* () {
      const { connected, ended, has, isOver, pass } = yield* stage
      yield* SubscriptionRef.set(connected, 1)
      yield* pass(1)
      yield* has("working")
      yield* SubscriptionRef.set(connected, 0)
      yield* pass(60)
      assert.isFalse(isOver())
      yield* has("waiting")
      yield* pass(10)
      yield* Fiber.join(ended)
    }).pipe(Effect.scoped)
  )
})
