/**
 * The files that SQLite works with. Something else may stand in the place of a file. Then opening waits for ever, or fails with wrong words.
 */
import * as fs from "node:fs"
import { codeOf } from "@signalbox/system/SystemError"
import { StorageError } from "./StorageError.ts"

/** SQLite makes these beside a database, and follows no links to them. */
const companions = ["-journal", "-wal", "-shm"]

/** What is there in place of a file; undefined where that is right, or nothing is there. */
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
 * Throws a `StorageError` when something else is in the place of the database. The same goes for a file that goes with it. A link to a
 * database is one.
 */
export const check = (filename: string, reason: "not-a-file" | "lock-unusable" = "not-a-file"): void => {
  const refuse = (path: string, detail: string | undefined) => {
    if (detail !== undefined) throw new StorageError({ reason, path, detail })
  }
  refuse(filename, oddityAt(filename, fs.statSync))
  const real = fs.existsSync(filename) ? fs.realpathSync(filename) : filename
  for (const suffix of companions) refuse(real + suffix, oddityAt(real + suffix, fs.lstatSync))
}

/** What a database that is in use consists of. */
export const inUse = (filename: string): ReadonlyArray<string> => [filename, `${filename}-wal`, `${filename}-shm`]

/** Moves out of the way what should be a file of ours and is none. Says where to. Throws what the system says. */
export const setAside = (path: string): string | undefined => {
  if (oddityAt(path, fs.lstatSync) === undefined) return undefined
  const aside = `${path}.unreadable`
  fs.renameSync(path, aside)
  return aside
}
