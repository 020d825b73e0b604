import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // `summary` is the thread's row in the list. `session_open`: its agent was starting or running when this was written.
  // Up to `compacted_through` pieces of the log are joined: it can be read from the start, but not from in between.
  yield* sql`
    CREATE TABLE threads (
      thread_id TEXT PRIMARY KEY,
      summary TEXT NOT NULL,
      provider_options TEXT NOT NULL,
      session_open INTEGER NOT NULL DEFAULT 0,
      compacted_through INTEGER NOT NULL DEFAULT 0
    ) STRICT, WITHOUT ROWID`

  // The log. The primary key is the fence: two writers can never both have written one place in it.
  yield* sql`
    CREATE TABLE events (
      thread_id TEXT NOT NULL,
      sequence INTEGER NOT NULL,
      payload TEXT NOT NULL,
      PRIMARY KEY (thread_id, sequence)
    ) STRICT, WITHOUT ROWID`

  // What became of each command; `problem` says why it was refused.
  yield* sql`
    CREATE TABLE receipts (
      thread_id TEXT NOT NULL,
      command_id TEXT NOT NULL,
      sequence INTEGER NOT NULL,
      problem TEXT,
      at INTEGER NOT NULL,
      PRIMARY KEY (thread_id, command_id)
    ) STRICT, WITHOUT ROWID`

  // accepted: to be run, also after a restart · dispatched: the agent may have begun · done · lost: never run again.
  yield* sql`
    CREATE TABLE turns (
      thread_id TEXT NOT NULL,
      turn_id TEXT NOT NULL,
      status TEXT NOT NULL CHECK (status IN ('accepted', 'dispatched', 'done', 'lost')),
      PRIMARY KEY (thread_id, turn_id)
    ) STRICT, WITHOUT ROWID`
  yield* sql`CREATE INDEX turns_unfinished ON turns (thread_id) WHERE status IN ('accepted', 'dispatched')`

  yield* sql`
    CREATE TABLE provider_sessions (
      thread_id TEXT PRIMARY KEY,
      provider_id TEXT NOT NULL,
      provider_kind TEXT NOT NULL,
      resume_token TEXT NOT NULL,
      cwd TEXT NOT NULL,
      updated_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`
})
