/**
 * The files that SQLite works with. If a path holds something else than a file, opening it may wait forever or fail
 * with a wrong message.
 */
import * as fs from "node:fs"
import { codeOf } from "@signalbox/system/SystemError"
import { StorageError } from "./StorageError.ts"

/** Suffixes of the files that SQLite makes beside a database. It does not follow links to them. */
const companions = ["-journal", "-wal", "-shm"]

/** Names what stands in the place of a file. Undefined if it is a file, or if nothing is there. */
const oddity = (found: fs.Stats | undefined): string | undefined => {
  if (found === undefined || found.isFile()) return undefined
  if (found.isSymbolicLink()) return "it is a link"
  if (found.isDirectory()) return "it is a folder"
  return found.isFIFO() ? "it is a pipe" : "it is no file"
}

const oddityAt = (path: string, look: typeof fs.statSync): string | undefined => {
  try {
    return oddity(look(path, { throwIfNoEntry: false }))
  } catch (error) {
    if (codeOf(error) === "ELOOP") return "it is a link that leads nowhere"
    throw error
  }
}

/**
 * Throws a `StorageError` if the path of the database, or of a file that belongs to it, is no file. A link to a
 * database is allowed.
 */
export const check = (filename: string, reason: "not-a-file" | "lock-unusable" = "not-a-file"): void => {
  const refuse = (path: string, detail: string | undefined) => {
    if (detail !== undefined) throw new StorageError({ reason, path, detail })
  }
  refuse(filename, oddityAt(filename, fs.statSync))
  const real = fs.existsSync(filename) ? fs.realpathSync(filename) : filename
  for (const suffix of companions) refuse(real + suffix, oddityAt(real + suffix, fs.lstatSync))
}

/** All files of a database that is in use. */
export const inUse = (filename: string): ReadonlyArray<string> => [filename, `${filename}-wal`, `${filename}-shm`]

/** Moves something aside that is not a file of ours, and returns its new path. Throws the system's error. */
export const setAside = (path: string): string | undefined => {
  if (oddityAt(path, fs.lstatSync) === undefined) return undefined
  const aside = `${path}.unreadable`
  fs.renameSync(path, aside)
  return aside
}
