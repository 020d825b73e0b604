/**
 * Measures the disk space that Signalbox uses, and the free space. It reads only names and sizes, and opens no file.
 */
import { constants } from "node:fs"
import { access, readdir, stat, statfs } from "node:fs/promises"
import { dirname, join } from "node:path"

/** Bytes of a file; 0 if there is none. */
const fileBytes = async (path: string): Promise<number> => {
  try {
    return (await stat(path)).size
  } catch {
    return 0
  }
}

/** Bytes of all files below a folder; 0 if there is none. Files that are deleted meanwhile do not count. */
export const folderBytes = async (folder: string): Promise<number> => {
  try {
    const entries = await readdir(folder, { withFileTypes: true, recursive: true })
    const files = entries.filter((entry) => entry.isFile())
    const sizes = await Promise.all(files.map(({ name, parentPath }) => fileBytes(join(parentPath, name))))
    return sizes.reduce((sum, size) => sum + size, 0)
  } catch {
    return 0
  }
}

/** Bytes of a SQLite database: its file, and the journal that is not yet in it. */
export const databaseBytes = async (path: string) => {
  const [databaseBytes, journalBytes] = await Promise.all([fileBytes(path), fileBytes(`${path}-wal`)])
  return { databaseBytes, journalBytes }
}

/**
 * Free bytes for this user on the disk of a folder. For a missing folder, the nearest existing parent counts. Undefined
 * if the system doesn't report it.
 */
export const freeBytes = async (folder: string): Promise<number | undefined> => {
  try {
    const { bavail, bsize } = await statfs(await nearest(folder))
    return bavail * bsize
  } catch {
    return undefined
  }
}

/** The folder itself, or the first one above it that exists. */
export const nearest = async (folder: string): Promise<string> => {
  try {
    await access(folder, constants.F_OK)
    return folder
  } catch {
    const above = dirname(folder)
    return above === folder ? folder : nearest(above)
  }
}
