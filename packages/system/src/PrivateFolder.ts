/** A folder that only its owner may look into. */
import { mkdirSync, statSync } from "node:fs"
import { dirname } from "node:path"

/**
 * Makes the folder, and those that it lies in, if there are none. Throws what the operating system says. One by one: Node's own
 * `recursive` never returns where nothing can be made at all, as in `/proc`.
 */
export const make = (folder: string): void => {
  if (isFolder(folder)) return
  if (!isFolder(dirname(folder))) make(dirname(folder))
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another server may have been quicker.
    if (!isFolder(folder)) throw error
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
