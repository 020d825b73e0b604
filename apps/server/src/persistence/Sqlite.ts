/**
 * The SQLite that ships inside Node, in two forms over one connection: `SqlClient` for what is rare, and plain synchronous
 * transactions for the append path, where an effect per statement would cost more than the statement.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as Semaphore from "effect/Semaphore"
import * as SqlClient from "effect/sql/SqlClient"
import type * as SqlConnection from "effect/sql/SqlConnection"
import * as SqlError from "effect/sql/SqlError"
import * as Statement from "effect/sql/Statement"
import * as Stream from "effect/Stream"
import * as fs from "node:fs"
import * as path from "node:path"
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite"
import { StorageError, storageError } from "./StorageError.ts"

export class Sqlite extends Context.Service<
  Sqlite,
  {
    readonly path: string
    /** Statements are prepared once, by whoever uses them, and only run inside `transaction`. */
    readonly prepare: (sql: string) => Effect.Effect<StatementSync, StorageError>
    /** Runs synchronous statements in one transaction: all of them, or, when one throws, none. */
    readonly transaction: <A>(work: () => A) => Effect.Effect<A, StorageError>
  }
>()("@signalbox/server/persistence/Sqlite") {}

/** Milliseconds that a statement waits, blocking, for another program's lock. Our own statements never wait for each other. */
const busyTimeout = 2000

/** Opens the file, made readable for its owner only if it is new; SQLite gives its companions the same mode. */
const open = (filename: string): DatabaseSync => {
  fs.mkdirSync(path.dirname(filename), { recursive: true, mode: 0o700 })
  fs.closeSync(fs.openSync(filename, "a", 0o600))
  const database = new DatabaseSync(filename)
  try {
    database.exec(`PRAGMA busy_timeout = ${busyTimeout}`)
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON")
  } catch (error) {
    database.close()
    throw error
  }
  return database
}

const make = Effect.fn("Sqlite.make")(function* (filename: string) {
  const failed = storageError(filename)
  const database = yield* Effect.acquireRelease(
    Effect.try({ try: () => open(filename), catch: failed }),
    // SQLite moves its journal into the file when the last connection closes.
    (opened) => Effect.sync(() => opened.close())
  )
  const semaphore = yield* Semaphore.make(1)
  const begin = database.prepare("BEGIN IMMEDIATE")
  const commit = database.prepare("COMMIT")

  const transact = <A>(work: () => A): A => {
    begin.run()
    try {
      const result = work()
      commit.run()
      return result
    } catch (error) {
      if (database.isTransaction) database.exec("ROLLBACK")
      throw error
    }
  }
  const client = yield* SqlClient.make({
    ...SqlClient.makeSqliteAcquirers({
      connection: Effect.succeed(connectionOf(database)),
      semaphore,
      isTransaction: () => database.isTransaction
    }),
    compiler: Statement.makeCompilerSqlite(),
    driver: "node:sqlite",
    spanAttributes: [["db.system.name", "sqlite"]]
  })
  const sqlite = Sqlite.of({
    path: filename,
    prepare: (sql) => Effect.try({ try: () => database.prepare(sql), catch: failed }),
    transaction: (work) => semaphore.withPermit(Effect.try({ try: () => transact(work), catch: failed }))
  })
  return Context.make(Sqlite, sqlite).pipe(Context.add(SqlClient.SqlClient, client))
})

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
export const layer = (filename: string): Layer.Layer<Sqlite | SqlClient.SqlClient, StorageError> =>
  Layer.effectContext(make(filename)).pipe(Layer.provide(Reactivity.layer))
