/** Looks a database over without changing it, also while a server uses it. */
import * as Effect from "effect/Effect"
import { DatabaseSync } from "node:sqlite"
import * as Migrations from "../persistence/Migrations.ts"
import { StorageError, storageError } from "../persistence/StorageError.ts"

/**
 * The number of its shape. Fails where it is damaged, or newer than this version; reads all of it, so that it takes about a second for
 * each gigabyte.
 */
export const shapeOf = (path: string): Effect.Effect<number, StorageError> =>
  Effect.try({ try: () => check(path), catch: storageError(path) })

const check = (path: string): number => {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    const found = database.prepare("PRAGMA quick_check(1)").get()?.["quick_check"]
    if (found !== "ok") throw new StorageError({ reason: "corrupt", path, detail: String(found) })
    const shape = Number(
      database.prepare(`SELECT max(migration_id) AS shape FROM ${Migrations.table}`).get()?.["shape"]
    )
    if (shape > Migrations.latest) throw Migrations.newer(path, shape)
    return shape
  } finally {
    database.close()
  }
}
