/** Detects a session that has been idle for long. Only a session that can be resumed may end for that. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { SessionCore } from "./SessionCore.ts"

/** Milliseconds between two checks: the longest and the shortest. */
const slowest = 60_000
const fastest = 10

/** Whether a later process can resume this session. */
const canComeBack = ({ client, process }: SessionCore): boolean => {
  const { loadSession, sessionCapabilities } = client.initialized()?.agentCapabilities ?? {}
  const knowsItsSession = loadSession === true || Boolean(sessionCapabilities?.resume)
  // Signalbox does not end a process that runs elsewhere.
  return process.pid !== undefined && knowsItsSession
}

const isBusy = ({ requests, status, terminals }: SessionCore): boolean =>
  status.turn !== undefined || requests.anyOpen() || (terminals?.running() ?? 0) > 0

/** Completes with the idle time when it is too long. Never completes for a session that can't be resumed. */
export const tooLong = Effect.fnUntraced(function* (
  core: SessionCore,
  limit: () => number
): Effect.fn.Return<Duration.Duration> {
  if (!canComeBack(core)) return yield* Effect.never
  const now = Clock.currentTimeMillis
  let busyAt = yield* now
  while (true) {
    const at = yield* now
    if (isBusy(core)) busyAt = at
    const most = limit()
    const left = Math.max(busyAt, core.process.lastSignAt()) + most - at
    if (most > 0 && left <= 0) return Duration.millis(most)
    yield* Effect.sleep(Math.max(fastest, Math.min(most > 0 ? left : slowest, slowest)))
  }
})

/** The reason for the end of an idle agent, for people. */
export const words = (idle: Duration.Duration): string => {
  const minutes = Math.round(Duration.toMinutes(idle))
  const time = minutes >= 1 ? (minutes === 1 ? "1 minute" : `${minutes} minutes`) : Duration.format(idle)
  return `Ended after ${time} without work. It comes back with the next prompt.`
}
