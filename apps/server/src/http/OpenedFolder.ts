/** The folder that an editor has open, for calls about its files. */
import { Refused } from "@signalbox/contracts/Refused"
import * as Effect from "effect/Effect"
import { stat } from "node:fs/promises"
import { isAbsolute, resolve } from "node:path"
import { messageOf } from "@signalbox/system/SystemError"

/** Returns the folder in one spelling: without `..` and a slash at the end. A link stays a link. Refuses what is no folder of this machine. */
export const of = Effect.fnUntraced(function* (folder: string) {
  if (!isAbsolute(folder)) return yield* unusable(folder, "It is no whole path from the root.")
  const found = yield* Effect.tryPromise({
    try: () => stat(folder),
    catch: (error) => unusable(folder, messageOf(error))
  })
  if (!found.isDirectory()) return yield* unusable(folder, "It is not a folder.")
  return resolve(folder)
})

const unusable = (folder: string, cause: string): Refused =>
  new Refused({
    problem: {
      code: "cwd-unusable",
      title: `There are no suggestions in ${folder}.`,
      cause,
      evidence: { path: folder },
      nextSteps: [{ action: "choose-folder", label: "Open another folder" }]
    }
  })
