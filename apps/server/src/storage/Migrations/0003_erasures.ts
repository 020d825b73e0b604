import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/**
 * Counts deletions since the file was last rewritten. Existing files may hold traces of deletions and can't shrink, so
 * they start with one.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`CREATE TABLE erasures (number INTEGER PRIMARY KEY) STRICT`
  yield* sql`INSERT INTO erasures SELECT 1 WHERE EXISTS (SELECT 1 FROM threads)`
})
