/** The folder that a command is about, by `--cwd`. */
import { codeOf, isMissing, messageOf } from "@signalbox/system/SystemError"
import * as Effect from "effect/Effect"
import { statSync } from "node:fs"
import { resolve } from "node:path"
import { usage, type UsageError } from "../terminal/Failure.ts"

/** The folder that `--cwd` names, absolute. */
export const of = (command: string, path: string): Effect.Effect<string, UsageError> =>
  Effect.try({
    try: () => statSync(resolve(path)).isDirectory(),
    catch: (error) => usage(command, `--cwd: ${resolve(path)} ${unreachable(error)}.`)
  }).pipe(
    Effect.filterOrFail(
      (isFolder) => isFolder,
      () => usage(command, `--cwd: ${resolve(path)} is not a folder.`)
    ),
    Effect.as(resolve(path))
  )

const unreachable = (error: unknown): string => {
  const code = codeOf(error)
  if (code === "EACCES" || code === "EPERM") return "cannot be reached: this user may not enter a folder on the way"
  return isMissing(error) ? "does not exist" : `cannot be used (${code ?? messageOf(error)})`
}
