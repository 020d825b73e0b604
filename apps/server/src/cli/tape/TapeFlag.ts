/** The file of `--tape`, which records every line between Signalbox and the agent. */
import { messageOf } from "@signalbox/system/SystemError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { closeSync, openSync } from "node:fs"
import { resolve } from "node:path"
import { usage, type UsageError } from "../terminal/Failure.ts"

/** Checks before the agent starts that the tape can be written, so that a record is never dropped silently. */
export const pathOf = (
  command: string,
  file: Option.Option<string>
): Effect.Effect<Option.Option<string>, UsageError> => {
  if (Option.isNone(file)) return Effect.succeed(file)
  const path = resolve(file.value)
  return Effect.try({
    try: () => closeSync(openSync(path, "a", 0o600)),
    catch: (error) => usage(command, `--tape: ${messageOf(error)}`)
  }).pipe(Effect.as(Option.some(path)))
}
