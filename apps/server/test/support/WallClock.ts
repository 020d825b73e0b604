/** The test's clock, of which the time of day can be set back while everything else goes on. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

export const settable = Effect.map(Clock.Clock, (clock) => {
  let back = 0
  const millis = () => clock.currentTimeMillisUnsafe() - back
  const nanos = () => clock.currentTimeNanosUnsafe() - BigInt(back) * 1_000_000n
  const wall: Clock.Clock = {
    currentTimeMillisUnsafe: millis,
    currentTimeMillis: Effect.sync(millis),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: clock.monotonicTimeNanos,
    sleep: (duration) => clock.sleep(duration)
  }
  return {
    /** Milliseconds. */
    setBack: (by: number) => {
      back += by
    },
    within: Effect.provideService(Clock.Clock, wall)
  }
})
