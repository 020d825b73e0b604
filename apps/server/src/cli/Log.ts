/** What the program notes about itself: a line on stderr, in words. Stacks are for whoever asks with `--log-level debug`. */
import * as Cause from "effect/Cause"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as References from "effect/References"
import { oneLine, plain } from "./Plain.ts"

export const layer = Logger.layer([
  Logger.make<unknown, void>(({ cause, date, fiber, logLevel, message }) => {
    const parts: ReadonlyArray<unknown> = Array.isArray(message) ? message : [message]
    const notes = Object.entries(fiber.getRef(References.CurrentLogAnnotations)).map(
      ([name, value]) => `${name}=${words(value)}`
    )
    const failure = cause.reasons.length === 0 ? [] : [words(Cause.squash(cause))]
    const line = [...parts.map(words), ...failure, ...notes].join(" ")
    console.error(`${date.toISOString().slice(11, 23)} ${logLevel.toLowerCase()}: ${oneLine(line, 1000)}`)
    const inFull = LogLevel.isLessThanOrEqualTo(fiber.getRef(References.MinimumLogLevel), "Debug")
    if (inFull && cause.reasons.length > 0) console.error(plain(Cause.pretty(cause)))
  })
])

const words = (part: unknown): string => {
  if (typeof part === "string") return part
  if (Cause.isCause(part)) return words(Cause.squash(part))
  if (part instanceof Error) return part.message
  return JSON.stringify(part) ?? String(part)
}
