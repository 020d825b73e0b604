/**
 * One server per state folder. The lock is a transaction held open on a small database of its own: the operating system frees
 * it however the process ends, `kill -9` included, and the real database stays readable for other programs meanwhile.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as fs from "node:fs"
import * as path from "node:path"
import { DatabaseSync } from "node:sqlite"
import * as PrivateFolder from "../PrivateFolder.ts"
import { storageError } from "./StorageError.ts"

export class StateInUse extends Schema.TaggedError<StateInUse>()("StateInUse", { directory: Schema.String }) {
  override get message(): string {
    return `Another Signalbox server is using ${this.directory}. Open that one, stop it, or choose another folder with --state-dir.`
  }
}

const fileIn = (directory: string): string => path.join(directory, "server.lock")

/** Nothing else may open this file: closing any handle on it in this process would drop the lock (POSIX). */
const open = (directory: string): DatabaseSync => {
  PrivateFolder.make(directory)
  const filename = fileIn(directory)
  if (!fs.existsSync(filename)) fs.closeSync(fs.openSync(filename, "a", 0o600))
  const database = new DatabaseSync(filename)
  try {
    database.exec("PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE")
    held.add(database)
  } catch (error) {
    database.close()
    throw error
  }
  return database
}

/** A handle that nobody refers to is closed by the garbage collector, and the lock would go with it. */
const held = new Set<DatabaseSync>()

const release = (database: DatabaseSync): void => {
  held.delete(database)
  database.close()
}

/** Held for as long as the layer lives. */
export const layer = (directory: string) =>
  Layer.effectDiscard(
    Effect.acquireRelease(
      Effect.try({ try: () => open(directory), catch: storageError(directory) }).pipe(
        Effect.catchIf(
          ({ reason }) => reason === "locked",
          () => new StateInUse({ directory })
        )
      ),
      (database) => Effect.sync(() => release(database))
    )
  )

/** Whether another process has the folder now. Never to be asked by the one that holds the lock: see `open`. */
export const isHeld = Effect.fn("StateLock.isHeld")(function* (directory: string) {
  const filename = fileIn(directory)
  if (!fs.existsSync(filename)) return false
  return yield* Effect.try({ try: () => look(filename), catch: storageError(filename) }).pipe(
    Effect.as(false),
    Effect.catchIf(
      ({ reason }) => reason === "locked",
      () => Effect.succeed(true)
    )
  )
})

/** Throws while somebody has the lock. */
const look = (filename: string): void => {
  const database = new DatabaseSync(filename, { readOnly: true, timeout: 0 })
  try {
    database.exec("SELECT count(*) FROM sqlite_master")
  } finally {
    database.close()
  }
}
