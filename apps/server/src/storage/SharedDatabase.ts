/** Databases that several programs write to at the same time. Synchronous. */
import * as PrivateFolder from "@signalbox/system/PrivateFolder"
import * as fs from "node:fs"
import { dirname } from "node:path"
import { DatabaseSync } from "node:sqlite"
import * as DatabaseFiles from "./DatabaseFiles.ts"

/**
 * Opens a database, and makes an empty one that only its owner can read if there is none. Throws what SQLite or the system says.
 *
 * @param busyTimeout milliseconds that a statement waits for another program. This wait blocks the event loop
 */
export const open = (path: string, busyTimeout: number): DatabaseSync => {
  PrivateFolder.make(dirname(path))
  DatabaseFiles.check(path)
  fs.closeSync(fs.openSync(path, "a", 0o600))
  const database = new DatabaseSync(path)
  try {
    database.exec(`PRAGMA busy_timeout = ${busyTimeout}; PRAGMA trusted_schema = OFF`)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** Milliseconds between two attempts. */
const pause = 5
const nobodyWakes = new Int32Array(new SharedArrayBuffer(4))

/**
 * Lets readers and a writer work at the same time, by a write-ahead log. Where another program makes this change of a new database,
 * SQLite gives up at once and heeds no busy timeout. So this tries again for that long.
 */
export const useWriteAheadLog = (database: DatabaseSync, busyTimeout: number): void => {
  const until = performance.now() + busyTimeout
  for (;;)
    try {
      return database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
    } catch (error) {
      if (!isBusy(error) || performance.now() >= until) throw error
      Atomics.wait(nobodyWakes, 0, 0, pause)
    }
}

const SQLITE_BUSY = 5

const isBusy = (error: unknown): boolean =>
  typeof error === "object" && error !== null && "errcode" in error && error.errcode === SQLITE_BUSY
