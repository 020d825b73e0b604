/**
 * One server per state folder. The lock is a transaction held open on a small database of its own: the operating system frees it however the
 * process ends, `kill -9` included. The real database stays readable for other programs meanwhile. A lock on a file that was deleted keeps
 * nobody out. So its holder looks before each transaction whether the file is there still.
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

/** What holds the folder, for whoever writes in it. */
export interface HeldLock {
  /** Throws a `StorageError` once the lock, or a file that is guarded, is lost. Costs one look at each of them. */
  readonly check: () => void
  /** From here on this file counts as the lock does, until the function is called that this returns. One that is not there does not. */
  readonly guard: (filename: string) => () => void
  /** Completes with what happened, should the lock be lost. */
  readonly lost: Effect.Effect<StorageError>
}

/** Nothing is held, and so nothing lost, where nobody locked the folder. */
export const HeldLock = Context.Reference<HeldLock>("@signalbox/server/storage/StateLock/HeldLock", {
  defaultValue: () => ({ check: () => {}, guard: () => () => {}, lost: Effect.never })
})

const fileIn = (directory: string): string => path.join(directory, "server.lock")

/** How often it is looked whether the lock is there still, while nothing is written. */
const pace = "1 second"

/** Which file it is. The numbers are not given out anew while we hold the file open. */
type Identity = string

/** What can't be looked at, such as a link to itself, is not the file that was locked. */
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
  /** What stood in the file was no lock. */
  readonly healed: boolean
}

/** Nothing else may open this file: closing any handle on it in this process would drop the lock (POSIX). */
const open = (directory: string): Held => {
  PrivateFolder.make(directory)
  const filename = fileIn(directory)
  DatabaseFiles.check(filename, "lock-unusable")
  if (!fs.existsSync(filename)) fs.closeSync(fs.openSync(filename, "a", 0o600))
  const identity = identityOf(filename)
  const { database, healed } = lockOrHeal(filename)
  // Deleted or replaced just now: what is locked is not what the next one will find.
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

/** Garbage in the file is overwritten: who holds a lock keeps others from even reading it. */
const lockOrHeal = (filename: string): Pick<Held, "database" | "healed"> => {
  try {
    return { database: lock(filename), healed: false }
  } catch (error) {
    if (storageError(filename)(error).reason !== "corrupt") throw unusable(filename, error)
    try {
      // Emptied where it is, and not exchanged: whoever else begins just now holds the same file.
      fs.truncateSync(filename)
      return { database: lock(filename), healed: true }
    } catch (again) {
      throw unusable(filename, again)
    }
  }
}

/** Garbage that can't be overwritten says nothing about the database. */
const unusable = (filename: string, error: unknown): StorageError => {
  const failure = storageError(filename)(error)
  return failure.reason === "corrupt"
    ? new StorageError({ reason: "lock-unusable", path: filename, detail: failure.detail })
    : failure
}

const lostOf = (filename: string, reason: "lock-lost" | "file-lost" = "lock-lost"): StorageError =>
  new StorageError({ reason, path: filename, detail: "it was deleted or replaced" })

/** A handle that nobody refers to is closed by the garbage collector, and the lock would go with it. */
const held = new Set<DatabaseSync>()

const release = (database: DatabaseSync): void => {
  held.delete(database)
  database.close()
}

/** Held for as long as the layer lives. It ends early when the file, or one that is guarded with it, is deleted or replaced. */
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

/** Whether another process has the folder now. Never to be asked by the one that holds the lock: see `open`. */
export const isHeld = Effect.fn("StateLock.isHeld")(function* (directory: string) {
  const filename = fileIn(directory)
  // A folder that can't be looked into is told by whoever needs what is in it.
  if (!isThere(filename)) return false
  return yield* Effect.try({ try: () => look(filename), catch: storageError(filename) }).pipe(
    Effect.as(false),
    Effect.catchIf(
      ({ reason }) => reason === "locked",
      () => Effect.succeed(true)
    ),
    // Garbage is held by nobody.
    Effect.catchIf(
      ({ reason }) => reason === "corrupt",
      () => Effect.succeed(false)
    )
  )
})

/** A link that leads nowhere is there, too. */
const isThere = (filename: string): boolean => {
  try {
    return fs.lstatSync(filename, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}

/** Throws while somebody has the lock. */
const look = (filename: string): void => {
  DatabaseFiles.check(filename, "lock-unusable")
  const database = new DatabaseSync(filename, { readOnly: true, timeout: 0 })
  try {
    database.exec("SELECT count(*) FROM sqlite_master")
  } finally {
    database.close()
  }
}
