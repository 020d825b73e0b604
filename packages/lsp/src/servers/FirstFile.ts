/** Finds a file of a language in a folder. Some servers know no project before a file of it is open. */
import * as Effect from "effect/Effect"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import * as LanguageId from "../LanguageId.ts"

/** Folders of what is made or fetched. */
const passedOver = new Set(["node_modules", "target", "dist", "build", "out", "vendor", "__pycache__", "venv"])

/** Most entries that are looked at. */
const mostLooked = 5000

/** The first file of one of the languages, level by level. Undefined if there is none among the entries that are looked at. */
export const find = (folder: string, languages: ReadonlyArray<string>): Effect.Effect<string | undefined> =>
  Effect.promise(async () => {
    const folders = [folder]
    let looked = 0
    for (const at of folders) {
      const entries = await readdir(at, { withFileTypes: true }).catch(() => [])
      for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
        looked += 1
        if (looked > mostLooked) return undefined
        const path = join(at, entry.name)
        if (entry.isFile() && languages.includes(LanguageId.ofPath(entry.name))) return path
        if (entry.isDirectory() && !entry.name.startsWith(".") && !passedOver.has(entry.name)) folders.push(path)
      }
    }
    return undefined
  })
