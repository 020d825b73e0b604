/** The beginning of a stretch of time, as people write it. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { Timestamp } from "@signalbox/contracts/Ids"
import { parseDuration } from "../terminal/Amount.ts"
import { usage } from "../terminal/Failure.ts"

/** Reads a length of time before now, or a date. */
export const of = Effect.fnUntraced(function* (command: string, text: string) {
  const length = parseDuration(text)
  if (length !== undefined) return Timestamp.make((yield* Clock.currentTimeMillis) - length)
  const at = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : NaN
  return Number.isNaN(at)
    ? yield* usage(
        command,
        `--since ${JSON.stringify(text)} is no time. Give it 30d, 12h, 90m, or a date such as 2027-01-31.`
      )
    : Timestamp.make(at)
})
