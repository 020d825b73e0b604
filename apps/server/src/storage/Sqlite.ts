/**
 * Node's SQLite, in two forms over one connection. `SqlClient` is for rare statements. Synchronous transactions are for
 * appending, where an effect for each statement would cost more than the statement.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as Schedule from "effect/Schedule"
import * as Semaphore from "effect/Semaphore"
import * as SqlClient from "effect/sql/SqlClient"
import type * as SqlConnection from "effect/sql/SqlConnection"
import * as SqlError from "effect/sql/SqlError"
import * as Statement from "effect/sql/Statement"
import * as Stream from "effect/Stream"
import * as fs from "node:fs"
import * as path from "node:path"
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite"
import * as PrivateFolder from "@signalbox/system/PrivateFolder"
import * as Checkpointer from "./Checkpointer.ts"
import * as CommitCount from "./CommitCount.ts"
import type { Report } from "./CheckpointWorker.ts"
import * as DatabaseFiles from "./DatabaseFiles.ts"
import * as StateLock from "./StateLock.ts"
import { type StorageError, storageError } from "./StorageError.ts"
import * as StorageState from "./StorageState.ts"

export interface TransactionOptions {
  /**
   * Syncs to the disk, so that the transaction survives a power cut. Without it, it survives only the end of our
   * process.
   */
  readonly durable?: boolean
}

export class Sqlite extends Context.Service<
  Sqlite,
  {
    readonly path: string
    /** Prepares a statement. Users prepare each statement once, and run it only inside `transaction` or `read`. */
    readonly prepare: (sql: string) => Effect.Effect<StatementSync, StorageError>
    /** Runs synchronous statements in one transaction. If one throws, none takes effect. */
    readonly transaction: <A>(work: () => A, options?: TransactionOptions) => Effect.Effect<A, StorageError>
    /** Runs synchronous statements that change nothing. */
    readonly read: <A>(work: () => A) => Effect.Effect<A, StorageError>
    /**
     * Rewrites the file without deleted data and without free space, and empties the journal. Transactions wait
     * meanwhile.
     */
    readonly rewrite: Effect.Effect<Report>
  }
>()("./Sqlite.ts") {}

/** Milliseconds that a statement waits for another connection's lock. This wait blocks the event loop. */
const busyTimeout = 25

/** Tries a locked operation again for two seconds, without blocking the event loop. */
export const whileLocked = {
  while: (error: StorageError) => error.reason === "locked",
  schedule: Schedule.spaced("75 millis"),
  times: 20
}

/** Returns free pages to the file system, as many as take a few milliseconds. */
const giveBack = "PRAGMA incremental_vacuum(1000)"

/**
 * Opens the file. A new file is readable for its owner only; SQLite gives its companions the same mode. Deleted data is
 * overwritten (`secure_delete`). Free pages can be returned to the file system (`auto_vacuum`, which only new files
 * take on).
 */
const open = (filename: string) => {
  PrivateFolder.make(path.dirname(filename))
  // Checked first, since opening a pipe waits for a writer.
  DatabaseFiles.check(filename)
  fs.closeSync(fs.openSync(filename, "a", 0o600))
  const database = new DatabaseSync(filename)
  try {
    database.exec(`PRAGMA busy_timeout = ${busyTimeout}`)
    const isNew = fs.statSync(filename).size === 0
    if (isNew) database.exec("PRAGMA auto_vacuum = INCREMENTAL")
    database.exec("PRAGMA journal_mode = WAL")
    database.exec("PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON")
    // Expressions in the schema may not call functions with effects outside of the database.
    database.exec("PRAGMA trusted_schema = OFF")
    database.exec("PRAGMA wal_autocheckpoint = 0; PRAGMA journal_size_limit = 0")
    return { database, commits: CommitCount.open(database, filename, isNew) }
  } catch (error) {
    database.close()
    throw error
  }
}

const make = Effect.fn("Sqlite.make")(function* (filename: string) {
  const failed = storageError(filename)
  const lock = yield* StateLock.HeldLock
  const held = Effect.try({ try: lock.check, catch: failed })
  // Without the guard, a deleted file would still take writes, and nobody could find them again.
  let unguard = () => {}
  const { commits, database } = yield* Effect.acquireRelease(
    Effect.try({ try: () => open(filename), catch: failed }).pipe(Effect.retry(whileLocked)),
    // Folded logs leave free pages. They are returned here, when nobody waits; if that fails, the next end tries again.
    // SQLite moves its journal into the file when the last connection closes.
    ({ commits, database: opened }) =>
      Effect.andThen(held, Effect.try({ try: () => opened.exec(giveBack), catch: failed })).pipe(
        Effect.catch(({ message }) => Effect.logWarning(`The database keeps room that it does not need: ${message}`)),
        Effect.ensuring(
          Effect.sync(() => {
            unguard()
            opened.close()
            commits.close()
          })
        )
      )
  )
  const guards = DatabaseFiles.inUse(filename).map(lock.guard)
  unguard = () => guards.forEach((end) => end())
  const loss = commits.loss && CommitCount.problemOf(commits.loss, filename)
  if (loss !== undefined) yield* Effect.logError(`${loss.title} ${loss.cause}`)
  const { notes, state } = yield* StorageState.make(
    Effect.suspend(() => tryAgain),
    loss
  )
  const clock = yield* Clock.Clock
  const checkpointer = yield* Checkpointer.make(filename, () => database.exec("PRAGMA wal_autocheckpoint = 1000"))
  const semaphore = yield* Semaphore.make(1)
  const begin = database.prepare("BEGIN IMMEDIATE")
  const commit = database.prepare("COMMIT")

  let durable = false
  const setDurable = (wanted: boolean): void => {
    if (wanted === durable) return
    database.exec(`PRAGMA synchronous = ${wanted ? "FULL" : "NORMAL"}`)
    durable = wanted
  }
  const transact = <A>(work: () => A, wanted: boolean): A => {
    setDurable(wanted)
    begin.run()
    try {
      // The check comes after the transaction has begun: a new owner of the folder then waits for this transaction.
      lock.check()
      const result = work()
      commits.next()
      commit.run()
      commits.committed(clock.currentTimeMillisUnsafe())
      return result
    } catch (error) {
      if (database.isTransaction) database.exec("ROLLBACK")
      throw error
    }
  }
  const write = <A>(work: () => A, wanted: boolean): A => {
    const result = transact(work, wanted)
    notes.worked()
    checkpointer.written()
    return result
  }
  const alone = <A>(work: () => A): Effect.Effect<A, StorageError> =>
    semaphore.withPermit(Effect.try({ try: work, catch: failed }))

  const client = yield* clientOf(database, semaphore)
  const sqlite = Sqlite.of({
    path: filename,
    prepare: (sql) => Effect.try({ try: () => database.prepare(sql), catch: failed }),
    transaction: (work, options) =>
      checkpointer.room.pipe(
        Effect.andThen(alone(() => write(work, options?.durable === true))),
        Effect.retry(whileLocked),
        Effect.tapError((error) => Effect.sync(() => notes.failed(error)))
      ),
    read: alone,
    rewrite: held.pipe(
      Effect.andThen(checkpointer.rewrite),
      Effect.catch(({ message }) => Effect.succeed<Report>({ of: "rewrite", refused: message }))
    )
  })
  // Needs some space in the file and in the journal, like the writes that wait.
  const tryAgain = Effect.andThen(
    sqlite.transaction(() => {
      database.exec("DROP TABLE IF EXISTS trial; CREATE TABLE trial (bytes BLOB)")
      database.exec("INSERT INTO trial VALUES (zeroblob(65536))")
    }),
    sqlite.transaction(() => database.exec("DROP TABLE trial"))
  )
  return Context.make(Sqlite, sqlite).pipe(
    Context.add(SqlClient.SqlClient, client),
    Context.add(StorageState.StorageState, state)
  )
})

/** An `SqlClient` over a connection. Each statement runs while it holds the semaphore. */
const clientOf = (database: DatabaseSync, semaphore: Semaphore.Semaphore) =>
  SqlClient.make({
    ...SqlClient.makeSqliteAcquirers({
      connection: Effect.succeed(connectionOf(database)),
      semaphore,
      isTransaction: () => database.isTransaction
    }),
    compiler: Statement.makeCompilerSqlite(),
    driver: "node:sqlite",
    spanAttributes: [["db.system.name", "sqlite"]]
  })

/** A database in memory that lives as long as its scope. */
export const memory = Effect.gen(function* () {
  const database = yield* Effect.acquireRelease(
    Effect.sync(() => new DatabaseSync(":memory:")),
    (opened) => Effect.sync(() => opened.close())
  )
  return { database, client: yield* clientOf(database, yield* Semaphore.make(1)) }
}).pipe(Effect.provide(Reactivity.layer))

const connectionOf = (database: DatabaseSync): SqlConnection.Connection => {
  const prepared = new Map<string, StatementSync>()
  const cached = (sql: string): StatementSync => {
    let statement = prepared.get(sql)
    if (statement === undefined) prepared.set(sql, (statement = database.prepare(sql)))
    return statement
  }
  const all = (sql: string, params: ReadonlyArray<unknown>, statement: (sql: string) => StatementSync) =>
    Effect.try({
      try: () => statement(sql).all(...params.map(bindable)),
      catch: (cause) =>
        new SqlError.SqlError({
          reason: SqlError.classifySqliteError(cause, { message: "SQLite refused a statement", operation: "execute" })
        })
    })
  const unprepared = (sql: string) => database.prepare(sql)
  type Rows = ReadonlyArray<Record<string, unknown>>
  type Transform = (<A extends object>(rows: ReadonlyArray<A>) => ReadonlyArray<A>) | undefined
  const transformed = (transform: Transform) => (rows: Rows) => (transform ? transform(rows) : rows)
  const values = (rows: Rows) => rows.map((row) => Object.values(row))
  return {
    execute: (sql, params, transform) => Effect.map(all(sql, params, cached), transformed(transform)),
    executeRaw: (sql, params) => all(sql, params, cached),
    executeStream: (sql, params, transform) =>
      Stream.fromIterableEffect(Effect.map(all(sql, params, cached), transformed(transform))),
    executeValues: (sql, params) => Effect.map(all(sql, params, cached), values),
    executeValuesUnprepared: (sql, params) => Effect.map(all(sql, params, unprepared), values),
    executeUnprepared: (sql, params, transform) => Effect.map(all(sql, params, unprepared), transformed(transform))
  }
}

const bindable = (value: unknown): SQLInputValue => {
  if (value === null || value instanceof Uint8Array) return value
  if (typeof value === "string" || typeof value === "number" || typeof value === "bigint") return value
  if (typeof value === "boolean") return value ? 1 : 0
  throw new TypeError(`SQLite can't hold a ${typeof value}.`)
}

/**
 * The database file at `filename`, open as long as the layer lives. Makes the folder with mode 0700 if it is missing.
 */
export const layer = (
  filename: string
): Layer.Layer<Sqlite | SqlClient.SqlClient | StorageState.StorageState, StorageError> =>
  Layer.effectContext(make(filename)).pipe(Layer.provide(Reactivity.layer))
