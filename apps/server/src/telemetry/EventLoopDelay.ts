/** How long the event loop keeps things waiting. Measured by a timer, so only while somebody wants to know. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { monitorEventLoopDelay } from "node:perf_hooks"

/** Milliseconds between two looks. */
const resolution = 20

export interface EventLoopDelay {
  /** The 99th percentile since the last time it was asked, in milliseconds. */
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
      // The histogram holds the time between two looks, the wanted pause included; it is empty before the second.
      const late = histogram.count === 0 ? 0 : histogram.percentile(99) / 1e6 - resolution
      histogram.reset()
      return Math.max(0, Math.round(late * 10) / 10)
    }
  })
)
