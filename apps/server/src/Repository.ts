/** Where the repository is: the same from the sources and from the bundle that `npm start` runs, which lies elsewhere in it. */
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"

const rootOf = (folder: string): string => {
  if (existsSync(join(folder, "package-lock.json"))) return folder
  const parent = dirname(folder)
  if (parent === folder) throw new Error(`${import.meta.dirname} is not inside a copy of Signalbox.`)
  return rootOf(parent)
}

const root = rootOf(import.meta.dirname)

/** The absolute path of a file of the repository. */
export const inRepository = (...path: ReadonlyArray<string>): string => join(root, ...path)
