/** The start limits that people set. */
import * as Config from "effect/Config"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { defaultTiming, type StartLimits } from "../acp/profile/SessionTiming.ts"

/** A time from the environment. Undefined if it is not set, or is not a positive time. */
const read = Effect.fnUntraced(function* (name: string) {
  const given = yield* Config.option(Config.Duration(name)).pipe(
    Effect.catch(({ message }) => Effect.as(Effect.logWarning(`${name} is not heeded: ${message}`), undefined))
  )
  if (given === undefined || given._tag === "None") return undefined
  if (Duration.toMillis(given.value) > 0) return given.value
  yield* Effect.logWarning(`${name} is not heeded: it must be more than nothing.`)
  return undefined
})

/**
 * The limits from the environment, such as "45 seconds" or "2 minutes". After `SIGNALBOX_START_SLOW` a start is called
 * slow. After `SIGNALBOX_START_TIMEOUT` without progress it is ended.
 */
export const startTiming: Effect.Effect<StartLimits> = Effect.gen(function* () {
  const slow = yield* read("SIGNALBOX_START_SLOW")
  const timeout = yield* read("SIGNALBOX_START_TIMEOUT")
  return { slow: slow ?? defaultTiming.slow, start: timeout ?? defaultTiming.start }
})
