/** The file of `--tape`, which records every line between Signalbox and the agent. */
import { reasonOf } from "@signalbox/system/SystemError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { closeSync, fstatSync, openSync, readSync } from "node:fs"
import { resolve } from "node:path"
import { usage, type UsageError } from "../terminal/Failure.ts"

/** How each tape begins. */
const beginning = Buffer.from('{"at":')

/**
 * Checks before the agent starts that the tape can be written, so that a record is never dropped silently. An earlier tape is
 * replaced, and no other file is.
 */
export const pathOf = (
  command: string,
  file: Option.Option<string>
): Effect.Effect<Option.Option<string>, UsageError> => {
  if (Option.isNone(file)) return Effect.succeed(file)
  const path = resolve(file.value)
  return Effect.try({
    try: () => isReplaceable(path),
    catch: (error) => usage(command, `--tape: ${path}: ${reasonOf(error)}.`)
  }).pipe(
    Effect.filterOrFail(
      (may) => may,
      () => usage(command, `--tape: ${path} holds something else than a tape, so it is left alone. Name another file.`)
    ),
    Effect.as(Option.some(path))
  )
}

const isReplaceable = (path: string): boolean => {
  const opened = openSync(path, "a+", 0o600)
  try {
    const found = fstatSync(opened)
    if (!found.isFile() || found.size === 0) return true
    const read = Buffer.alloc(beginning.length)
    readSync(opened, read, 0, read.length, 0)
    return read.equals(beginning)
  } finally {
    closeSync(opened)
  }
}
