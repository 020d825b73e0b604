/** Real database files of their own for tests of what is kept. */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"
import * as TestClock from "effect/testing/TestClock"
import * as fs from "node:fs"
import { DatabaseSync } from "node:sqlite"
import * as Sqlite from "../../src/storage/Sqlite.ts"
import type { StorageError } from "../../src/storage/StorageError.ts"
import { StorageState } from "../../src/storage/StorageState.ts"
import * as SqliteThreadStore from "../../src/storage/SqliteThreadStore.ts"
import { ThreadStore } from "../../src/storage/ThreadStore.ts"

/** Removed with the scope. */
export const folder = Effect.flatMap(FileSystem.FileSystem, (files) =>
  files.makeTempDirectoryScoped({ prefix: "persistence-" })
).pipe(Effect.provide(NodeFileSystem.layer))

/** The name of a file that is not there yet. */
export const file = Effect.map(folder, (path) => `${path}/signalbox.sqlite`)

export interface Opened {
  readonly file: string
  readonly store: ThreadStore["Service"]
  readonly state: StorageState["Service"]
  /** Over the connection that the store uses. */
  readonly sql: SqlClient.SqlClient
}

/** Opened until the scope closes. */
export const open = (path: string): Effect.Effect<Opened, StorageError, Scope.Scope> =>
  Effect.map(
    Layer.build(Layer.fresh(SqliteThreadStore.layer.pipe(Layer.provideMerge(Sqlite.layer(path))))),
    (context) => ({
      file: path,
      store: Context.get(context, ThreadStore),
      state: Context.get(context, StorageState),
      sql: Context.get(context, SqlClient.SqlClient)
    })
  )

/** A store over a file of its own. */
export const fresh = Effect.flatMap(file, open)

/** What another program does with the file. */
export const meddle = (path: string, sql: string): void => {
  const database = new DatabaseSync(path)
  database.exec(sql)
  database.close()
}

/** What another program reads in the file. */
export const query = (path: string, sql: string): ReadonlyArray<Record<string, unknown>> => {
  const database = new DatabaseSync(path, { readOnly: true })
  const rows = database.prepare(sql).all()
  database.close()
  return rows.map((row) => ({ ...row }))
}

/** Overwrites the first page of a table of a file that nobody has open. */
export const spoil = (path: string, table: string): void => {
  const [row] = query(path, `SELECT rootpage, page_size FROM sqlite_master, pragma_page_size WHERE name = '${table}'`)
  const size = Number(row?.page_size)
  const opened = fs.openSync(path, "r+")
  fs.writeSync(opened, Buffer.alloc(size, 0xff), 0, size, (Number(row?.rootpage) - 1) * size)
  fs.closeSync(opened)
}

/** What takes its time by the test's clock, whose time passes until it is done. */
export const inTime = Effect.fnUntraced(function* <A, E, R>(work: Effect.Effect<A, E, R>) {
  const fiber = yield* Effect.forkChild(work)
  while (fiber.pollUnsafe() === undefined) yield* TestClock.adjust("10 millis")
  return yield* Fiber.join(fiber)
})
