/** The names of files of a page that edits files of a thread, and their absolute paths. */
import { resolvePath, shownPath } from "@signalbox/contracts/Paths"

export interface PagePaths {
  /** The absolute path of a path that may be from the folder of the thread. */
  readonly absoluteOf: (path: string) => string
  /** The path of an absolute one as the page has named it, else from the folder of the thread. */
  readonly named: (absolute: string) => string
  /** Takes the name of a file that the page has. */
  readonly name: (path: string) => void
}

/** Most names that are kept. */
const mostNames = 2000

/** `folder`: that of the thread, absolute. */
export const make = (folder: string): PagePaths => {
  const names = new Map<string, string>()
  const absoluteOf = (path: string): string => resolvePath(path, folder)
  return {
    absoluteOf,
    named: (path) => names.get(path) ?? shownPath(path, folder),
    name: (path) => {
      const key = absoluteOf(path)
      if (names.size >= mostNames && !names.has(key)) names.delete(names.keys().next().value ?? "")
      names.set(key, path)
    }
  }
}
