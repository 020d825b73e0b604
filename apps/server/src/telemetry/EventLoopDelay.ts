/** Measures the delay of the event loop. It needs a timer, so it runs only while somebody follows the measurement. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { monitorEventLoopDelay } from "node:perf_hooks"

/** Milliseconds between two samples. */
const resolution = 20

export interface EventLoopDelay {
  /** The 99th percentile since the previous call, in milliseconds. */
  readonly take: () => number
}

export const make: Effect.Effect<EventLoopDelay, never, Scope.Scope> = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => {
      const histogram = monitorEventLoopDelay({ resolution })
      histogram.enable()
      return histogram
    }),
    (histogram) => Effect.sync(() => histogram.disable())
  ),
  (histogram) => ({
    take: () => {
      // The histogram holds times between samples, which include the planned pause. It is empty before the second
      // sample.
      const late = histogram.count === 0 ? 0 : histogram.percentile(99) / 1e6 - resolution
      histogram.reset()
      return Math.max(0, Math.round(late * 10) / 10)
    }
  })
)
