/**
 * The one process of an agent for suggestions: started when it is needed, ended when nobody has asked for a while. One
 * that ended by itself is started again, later each time.
 */
import * as Clock from "effect/Clock"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Random from "effect/Random"
import * as RcMap from "effect/RcMap"
import type * as Scope from "effect/Scope"
import type { Problem } from "@signalbox/contracts/Problem"
import type { ProviderError } from "../base/ProviderError.ts"
import * as RestartBackoff from "@signalbox/process/RestartBackoff"
import type { SuggestionSource } from "./SuggestionSource.ts"

export interface SuggestionProcess {
  /** The running agent, which is started if it does not run. It is kept for the life of the scope, and some time longer. */
  readonly get: Effect.Effect<SuggestionSource, ProviderError, Scope.Scope>
  /** Ends the process, as one that does not work. Does not wait for its end. */
  readonly drop: Effect.Effect<void>
  /** Ends the process, as one that nobody has asked for a while. */
  readonly end: Effect.Effect<void>
  /** Milliseconds until the agent may be started again by itself; 0 if it may be now. */
  readonly rest: Effect.Effect<number>
}

export interface Options {
  readonly start: Effect.Effect<SuggestionSource, ProviderError, Scope.Scope>
  /** Runs for each new process before anybody gets it. What it adds to the scope runs before the process ends. */
  readonly onStart: (source: SuggestionSource) => Effect.Effect<void, never, Scope.Scope>
  /** Runs when a process has ended by itself. */
  readonly onEnd?: (source: SuggestionSource, why: Problem) => Effect.Effect<void>
  /** How long it is kept without a request. */
  readonly idle: Duration.Input
}

/** The key of the one process. */
const one = "one"

/** Closing the scope ends the process. */
export const make = Effect.fnUntraced(function* (
  options: Options
): Effect.fn.Return<SuggestionProcess, never, Scope.Scope> {
  const background = yield* Effect.scope
  const clock = yield* Clock.Clock
  const now = () => clock.currentTimeMillisUnsafe()
  /** The starts that failed, and the processes that ended by themselves. */
  let history: ReadonlyArray<RestartBackoff.Run> = []
  let restUntil = 0

  const ended = (startedAt: number) =>
    Effect.map(Random.next, (random) => {
      const endedAt = now()
      history = RestartBackoff.keep([...history, { startedAt, endedAt }], endedAt)
      const decision = RestartBackoff.next(history, endedAt, random)
      restUntil = decision.givenUp ? decision.retryAt : endedAt + decision.delayMs
    })

  const started = Effect.gen(function* () {
    const startedAt = now()
    const source = yield* options.start.pipe(
      Effect.onExit((exit) => (Exit.isFailure(exit) && Exit.hasFails(exit) ? ended(startedAt) : Effect.void))
    )
    yield* options.onStart(source)
    const gone = (why: Problem) =>
      Effect.gen(function* () {
        yield* ended(startedAt)
        yield* options.onEnd?.(source, why) ?? Effect.void
        yield* RcMap.invalidate(processes, one)
      }).pipe(Effect.uninterruptible)
    const watch = yield* Effect.forkIn(Effect.flatMap(source.closed, gone), background)
    // The interruption runs in the background: the watch itself may be ending this process.
    yield* Effect.addFinalizer(() => Effect.forkIn(Fiber.interrupt(watch), background))
    return source
  })

  const processes: RcMap.RcMap<unknown, SuggestionSource, ProviderError> = yield* RcMap.make({
    lookup: () => started,
    idleTimeToLive: options.idle
  })

  return {
    drop: Effect.suspend(() => {
      const over = Effect.forkIn(RcMap.invalidate(processes, one), background)
      return Effect.andThen(ended(now()), Effect.asVoid(over))
    }),
    end: RcMap.invalidate(processes, one),
    get: RcMap.get(processes, one).pipe(Effect.tapError(() => RcMap.invalidate(processes, one))),
    rest: Effect.sync(() => Math.max(0, restUntil - now()))
  }
})
