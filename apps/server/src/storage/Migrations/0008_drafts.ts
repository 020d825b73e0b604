import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/**
 * The prompts that people are writing, one for each thread. `content` is JSON. Attached files are apart from it, so
 * that a change of the text does not write them again.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // The row stays when its draft is sent, without words: its revision goes on.
  yield* sql`
    CREATE TABLE drafts (
      thread_id TEXT PRIMARY KEY,
      revision INTEGER NOT NULL,
      content TEXT NOT NULL,
      is_empty INTEGER NOT NULL,
      page TEXT,
      sent_as TEXT NOT NULL,
      saved_at INTEGER NOT NULL
    ) STRICT`

  yield* sql`
    CREATE TABLE draft_attachments (
      thread_id TEXT NOT NULL,
      attachment_id TEXT NOT NULL,
      bytes INTEGER NOT NULL,
      part TEXT NOT NULL,
      PRIMARY KEY (thread_id, attachment_id)
    ) STRICT`
})
