/** Folders as editors and threads name them: several names can lead to one folder. */
import { realpathSync } from "node:fs"

/** The path with its links followed. A folder that is not there keeps its path. */
export const of = (path: string): string => {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
