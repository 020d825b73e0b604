import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/** Deletions since the file was last written anew. Files of before may hold traces of some, and can't shrink: they owe it too. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`CREATE TABLE erasures (number INTEGER PRIMARY KEY) STRICT`
  yield* sql`INSERT INTO erasures SELECT 1 WHERE EXISTS (SELECT 1 FROM threads)`
})
