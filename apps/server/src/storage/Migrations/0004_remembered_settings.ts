import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/**
 * The settings that people chose last, by agent and folder. `value` is JSON. Existing threads are not searched for
 * them.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE remembered_settings (
      provider_id TEXT NOT NULL,
      cwd TEXT NOT NULL,
      setting_id TEXT NOT NULL,
      value TEXT NOT NULL,
      chosen_at INTEGER NOT NULL,
      PRIMARY KEY (provider_id, cwd, setting_id)
    ) STRICT, WITHOUT ROWID`
})
