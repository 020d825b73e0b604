/**
 * One server per state folder. The lock is an open transaction on a small database of its own. The operating system
 * releases it however the process ends, also after `kill -9`. Other programs can still read the real database
 * meanwhile. A lock on a deleted file keeps nobody out, so its holder checks the file before each transaction.
 */
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as fs from "node:fs"
import * as path from "node:path"
import { DatabaseSync } from "node:sqlite"
import * as PrivateFolder from "@signalbox/system/PrivateFolder"
import * as DatabaseFiles from "./DatabaseFiles.ts"
import { StorageError, storageError } from "./StorageError.ts"

export class StateInUse extends Schema.TaggedError<StateInUse>()("StateInUse", { directory: Schema.String }) {
  override get message(): string {
    return `Another Signalbox server is using ${this.directory}. Open that one, stop it, or choose another folder with --state-dir.`
  }
}

/** The lock of the state folder, for services that write in it. */
export interface HeldLock {
  /** Throws a `StorageError` once the lock or a guarded file is lost. It checks each of these files once. */
  readonly check: () => void
  /** Guards a file like the lock itself, until the returned function is called. A missing file is not guarded. */
  readonly guard: (filename: string) => () => void
  /** Completes with the reason if the lock is lost. */
  readonly lost: Effect.Effect<StorageError>
}

/** The held lock. By default there is no lock, so nothing can be lost. */
export const HeldLock = Context.Reference<HeldLock>("@signalbox/server/storage/StateLock/HeldLock", {
  defaultValue: () => ({ check: () => {}, guard: () => () => {}, lost: Effect.never })
})

const fileIn = (directory: string): string => path.join(directory, "server.lock")

/** The pause between two checks of the lock while nothing is written. */
const pace = "1 second"

/** The identity of a file: its device and inode numbers. The system doesn't reuse them while the file is open. */
type Identity = string

/** The identity of the file at a path. Undefined if it can't be read: then it is not the file that was locked. */
const identityOf = (filename: string): Identity | undefined => {
  try {
    const { dev, ino } = fs.statSync(filename)
    return `${dev}:${ino}`
  } catch {
    return undefined
  }
}

interface Held {
  readonly database: DatabaseSync
  readonly identity: Identity
  /** Whether the file held garbage that was overwritten. */
  readonly healed: boolean
}

/**
 * Opens and locks the file. Nothing else in this process may open it: closing any descriptor of it would drop the lock
 * (POSIX).
 */
const open = (directory: string): Held => {
  PrivateFolder.make(directory)
  const filename = fileIn(directory)
  DatabaseFiles.check(filename, "lock-unusable")
  if (!fs.existsSync(filename)) fs.closeSync(fs.openSync(filename, "a", 0o600))
  const identity = identityOf(filename)
  const { database, healed } = lockOrHeal(filename)
  // The file was deleted or replaced just now. The next server would find another file than the locked one.
  if (identity === undefined || identity !== identityOf(filename)) {
    database.close()
    throw lostOf(filename)
  }
  held.add(database)
  return { database, identity, healed }
}

const lock = (filename: string): DatabaseSync => {
  const database = new DatabaseSync(filename)
  try {
    database.exec("PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE")
  } catch (error) {
    database.close()
    throw error
  }
  return database
}

/**
 * Locks the file, and overwrites garbage in it. Garbage means that nobody holds the lock, since a held lock prevents
 * even reading.
 */
const lockOrHeal = (filename: string): Pick<Held, "database" | "healed"> => {
  try {
    return { database: lock(filename), healed: false }
  } catch (error) {
    if (storageError(filename)(error).reason !== "corrupt") throw unusable(filename, error)
    try {
      // Emptied in place and not replaced, so that another server that starts just now locks the same file.
      fs.truncateSync(filename)
      return { database: lock(filename), healed: true }
    } catch (again) {
      throw unusable(filename, again)
    }
  }
}

/** The error for a lock file that can't be used. It says nothing about the database. */
const unusable = (filename: string, error: unknown): StorageError => {
  const failure = storageError(filename)(error)
  return failure.reason === "corrupt"
    ? new StorageError({ reason: "lock-unusable", path: filename, detail: failure.detail })
    : failure
}

const lostOf = (filename: string, reason: "lock-lost" | "file-lost" = "lock-lost"): StorageError =>
  new StorageError({ reason, path: filename, detail: "it was deleted or replaced" })

/** Keeps references: the garbage collector would close an unreferenced database, and drop the lock. */
const held = new Set<DatabaseSync>()

const release = (database: DatabaseSync): void => {
  held.delete(database)
  database.close()
}

/**
 * Holds the lock as long as the layer lives. The lock is lost early if its file, or a guarded file, is deleted or
 * replaced.
 */
export const layer = (directory: string) => Layer.effect(HeldLock, hold(directory))

const hold = Effect.fnUntraced(function* (directory: string) {
  const filename = fileIn(directory)
  const { healed, identity } = yield* Effect.acquireRelease(
    Effect.try({ try: () => open(directory), catch: storageError(directory) }).pipe(
      Effect.catchIf(
        ({ reason }) => reason === "locked",
        () => new StateInUse({ directory })
      )
    ),
    ({ database }) => Effect.sync(() => release(database))
  )
  if (healed) yield* Effect.logWarning(`${filename} held no lock but something else. It was replaced.`)
  const lost = Deferred.makeUnsafe<StorageError>()
  const guarded = new Map<string, Identity>()
  const compare = (path: string, known: Identity, reason: "lock-lost" | "file-lost") => {
    if (identityOf(path) === known) return
    const error = lostOf(path, reason)
    Deferred.doneUnsafe(lost, Exit.succeed(error))
    throw error
  }
  const check = () => {
    compare(filename, identity, "lock-lost")
    for (const [path, known] of guarded) compare(path, known, "file-lost")
  }
  const guard = (path: string) => {
    const known = identityOf(path)
    if (known !== undefined) guarded.set(path, known)
    return () => void guarded.delete(path)
  }
  yield* Effect.try({ try: check, catch: storageError(filename) }).pipe(
    Effect.andThen(Effect.sleep(pace)),
    Effect.forever,
    Effect.ignore,
    Effect.forkScoped
  )
  return { check, guard, lost: Deferred.await(lost) } satisfies HeldLock
})

/** Whether another process holds the folder now. The holder itself must never call this: see `open`. */
export const isHeld = Effect.fn("StateLock.isHeld")(function* (directory: string) {
  const filename = fileIn(directory)
  // An unreadable folder counts as not held here. Users of the folder report it.
  if (!isThere(filename)) return false
  return yield* Effect.try({ try: () => look(filename), catch: storageError(filename) }).pipe(
    Effect.as(false),
    Effect.catchIf(
      ({ reason }) => reason === "locked",
      () => Effect.succeed(true)
    ),
    // Nobody holds a lock on garbage.
    Effect.catchIf(
      ({ reason }) => reason === "corrupt",
      () => Effect.succeed(false)
    )
  )
})

/** Whether something is at a path. A dangling link counts too. */
const isThere = (filename: string): boolean => {
  try {
    return fs.lstatSync(filename, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}

/** Throws while another process holds the lock. */
const look = (filename: string): void => {
  DatabaseFiles.check(filename, "lock-unusable")
  const database = new DatabaseSync(filename, { readOnly: true, timeout: 0 })
  try {
    database.exec("SELECT count(*) FROM sqlite_master")
  } finally {
    database.close()
  }
}
