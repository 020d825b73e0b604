/**
 * When a program that ended by itself may be started again: soon at first, then later and later. After too many tries in too short a time it
 * does so no more. Pure: the caller keeps the history and brings the clock and the dice.
 */

/** One start of the program; milliseconds since 1970. Without an end it is up. */
export interface Run {
  readonly startedAt: number
  readonly endedAt?: number
}

export type Decision =
  | { readonly givenUp: false; /** From now on. */ readonly delayMs: number }
  | {
      readonly givenUp: true
      /** How many starts have led to nothing within the window. */
      readonly tries: number
      /** When the window has room for another. */
      readonly retryAt: number
    }

const firstDelayMs = 500
export const longestDelayMs = 30_000
/** A delay is up to this part shorter or longer, so that programs that ended together don't come back together. */
const jitter = 0.2
/** A run of this length has shown that the program works: what was before counts no more. */
export const healthyAfterMs = 60_000
export const windowMs = 5 * 60_000
export const triesPerWindow = 5

/**
 * @param history all runs, oldest first; what `keep` lets go makes no difference
 * @param random in [0, 1)
 */
export const next = (history: ReadonlyArray<Run>, now: number, random: number): Decision => {
  const failed = sinceHealthy(history, now)
  // Starts that lie ahead are from before the clock was set back: nobody waits for them to come round again.
  const recent = failed.filter(({ startedAt }) => startedAt <= now && now - startedAt < windowMs)
  const oldest = recent.at(-triesPerWindow)
  if (oldest !== undefined) return { givenUp: true, tries: recent.length, retryAt: oldest.startedAt + windowMs }
  const delay = Math.min(firstDelayMs * 2 ** Math.max(failed.length - 1, 0), longestDelayMs)
  const varied = delay * (1 + jitter * (2 * random - 1))
  return { givenUp: false, delayMs: Math.min(Math.round(varied), longestDelayMs) }
}

/** Beyond this many failures the delay grows no more. */
const countedRuns = Math.max(triesPerWindow, Math.ceil(Math.log2(longestDelayMs / firstDelayMs)) + 1)

/** The part of a history that `next` still looks at. */
export const keep = (history: ReadonlyArray<Run>, now: number): ReadonlyArray<Run> =>
  sinceHealthy(history, now).slice(-countedRuns)

const sinceHealthy = (history: ReadonlyArray<Run>, now: number): ReadonlyArray<Run> =>
  history.slice(history.findLastIndex(({ endedAt = now, startedAt }) => endedAt - startedAt >= healthyAfterMs) + 1)
