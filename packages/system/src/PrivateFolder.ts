/** A folder that only its owner may look into. */
import { mkdirSync, statSync } from "node:fs"
import { dirname } from "node:path"

/**
 * Makes the folder and its missing parent folders. Throws the error of the operating system. Makes them one by one:
 * Node's `recursive` never returns in a place such as `/proc`, where no folder can be made.
 */
export const make = (folder: string): void => {
  if (isFolder(folder)) return
  if (!isFolder(dirname(folder))) make(dirname(folder))
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another server may have made it meanwhile.
    if (!isFolder(folder)) throw error
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
