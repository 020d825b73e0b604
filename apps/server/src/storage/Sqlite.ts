/**
 * The SQLite that ships inside Node, in two forms over one connection: `SqlClient` is for what is rare. Plain synchronous transactions are
 * for the append path, where an effect per statement would cost more than the statement.
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
  /** Survives a power cut too, which takes a sync. What is not durable survives the end of our process. */
  readonly durable?: boolean
}

export class Sqlite extends Context.Service<
  Sqlite,
  {
    readonly path: string
    /** Statements are prepared once, by whoever uses them, and only run inside `transaction` or `read`. */
    readonly prepare: (sql: string) => Effect.Effect<StatementSync, StorageError>
    /** Runs synchronous statements in one transaction: all of them, or, when one throws, none. */
    readonly transaction: <A>(work: () => A, options?: TransactionOptions) => Effect.Effect<A, StorageError>
    /** Runs synchronous statements that change nothing. */
    readonly read: <A>(work: () => A) => Effect.Effect<A, StorageError>
    /** Writes the file anew, without what was deleted and without free room, and empties the journal. Transactions wait meanwhile. */
    readonly rewrite: Effect.Effect<Report>
  }
>()("./Sqlite.ts") {}

/** Milliseconds that a statement waits, blocking all else, for another connection's lock. */
const busyTimeout = 25

/** What is locked is tried again for two seconds, during which other things go on. */
export const whileLocked = {
  while: (error: StorageError) => error.reason === "locked",
  schedule: Schedule.spaced("75 millis"),
  times: 20
}

/** Gives back so many pages as take some milliseconds. */
const giveBack = "PRAGMA incremental_vacuum(1000)"

/**
 * Opens the file, made readable for its owner only if it is new; SQLite gives its companions the same mode. What is deleted is overwritten
 * (`secure_delete`). What is free can be given back (`auto_vacuum`, which is for new files to take on).
 */
const open = (filename: string) => {
  PrivateFolder.make(path.dirname(filename))
  // First: to open a pipe waits for somebody who writes to it.
  DatabaseFiles.check(filename)
  fs.closeSync(fs.openSync(filename, "a", 0o600))
  const database = new DatabaseSync(filename)
  try {
    database.exec(`PRAGMA busy_timeout = ${busyTimeout}`)
    const isNew = fs.statSync(filename).size === 0
    if (isNew) database.exec("PRAGMA auto_vacuum = INCREMENTAL")
    database.exec("PRAGMA journal_mode = WAL")
    database.exec("PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON")
    // What stands in the schema itself may call nothing that reaches out of the database.
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
  // One that is deleted takes writes as before, and nobody finds them again.
  let unguard = () => {}
  const { commits, database } = yield* Effect.acquireRelease(
    Effect.try({ try: () => open(filename), catch: failed }).pipe(Effect.retry(whileLocked)),
    // Logs that were folded leave room, which goes back while nobody waits for it; where it can't, the next end tries again.
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
      // Not before: who takes over the folder from here on waits for this transaction.
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
  // Needs some room in the file and in the journal, as what waits to be written does.
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

/** `SqlClient` over a connection, whose statements run while they have the semaphore. */
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

/** A database in memory, for as long as the scope is open. */
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

/** The database file at `filename`, opened for as long as the layer lives. Its folder is made, 0700, if there is none. */
export const layer = (
  filename: string
): Layer.Layer<Sqlite | SqlClient.SqlClient | StorageState.StorageState, StorageError> =>
  Layer.effectContext(make(filename)).pipe(Layer.provide(Reactivity.layer))
