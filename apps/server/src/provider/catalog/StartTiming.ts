/** How long an agent may take to start, as whoever runs Signalbox wants it. */
import * as Config from "effect/Config"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { defaultTiming, type StartLimits } from "../acp/profile/SessionTiming.ts"

/** `undefined` when it is not set, or is no positive time. */
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
 * From the environment, as "45 seconds" or "2 minutes": `SIGNALBOX_START_SLOW` after which a start is called slow, and
 * `SIGNALBOX_START_TIMEOUT` without any progress after which it is given up.
 */
export const startTiming: Effect.Effect<StartLimits> = Effect.gen(function* () {
  const slow = yield* read("SIGNALBOX_START_SLOW")
  const timeout = yield* read("SIGNALBOX_START_TIMEOUT")
  return { slow: slow ?? defaultTiming.slow, start: timeout ?? defaultTiming.start }
})
