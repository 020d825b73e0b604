import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/** What people chose last in threads of an agent in a folder. `value` is JSON. Threads of before are not looked through for it. */
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
