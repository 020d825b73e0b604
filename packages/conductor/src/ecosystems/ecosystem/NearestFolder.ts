/** Finds the folder of a project by the file that each of its kind has. */
import * as Effect from "effect/Effect"
import { stat } from "node:fs/promises"
import { dirname, join } from "node:path"

/** The nearest folder that has a file of this name: the folder itself, or one that it is in. */
export const nearest = (name: string, from: string): Effect.Effect<string | undefined> =>
  Effect.promise(async () => {
    for (let folder = from; ; folder = dirname(folder)) {
      const found = await stat(join(folder, name)).catch(() => undefined)
      if (found?.isFile() === true) return folder
      if (dirname(folder) === folder) return undefined
    }
  })

/** Whether there is such a folder. */
export const has = (name: string, from: string): Effect.Effect<boolean> =>
  Effect.map(nearest(name, from), (folder) => folder !== undefined)
