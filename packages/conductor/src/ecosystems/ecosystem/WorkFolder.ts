/** Folders of our own in which the program of an ecosystem runs. Each is part of no project, and below no folder that others may write to. */
import * as PrivateFolder from "@signalbox/system/PrivateFolder"
import { reasonOf } from "@signalbox/system/SystemError"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { randomUUID } from "node:crypto"
import { mkdir, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { ToolFailed } from "./PackageTool.ts"

/**
 * Makes a folder with these texts, which is there until the scope closes.
 *
 * @param cache the folder in which all of them are made
 * @param files the texts by their relative paths
 */
export const make = (
  cache: string,
  files: Readonly<Record<string, string>>
): Effect.Effect<string, ToolFailed, Scope.Scope> =>
  Effect.gen(function* () {
    const folder = join(cache, "work", randomUUID())
    yield* Effect.addFinalizer(() => Effect.promise(() => rm(folder, { recursive: true, force: true })))
    yield* Effect.tryPromise({
      try: async () => {
        PrivateFolder.make(folder)
        for (const [name, text] of Object.entries(files)) {
          await mkdir(dirname(join(folder, name)), { recursive: true })
          await writeFile(join(folder, name), text)
        }
      },
      catch: (error) =>
        new ToolFailed({ reason: "Failed", message: `The folder ${folder} can't be made: ${reasonOf(error)}.` })
    })
    return folder
  })
