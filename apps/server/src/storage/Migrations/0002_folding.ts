import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/**
 * A thread now consists of its state at the last fold and the log since then. Existing threads were never folded, so
 * they are all log.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`ALTER TABLE threads DROP COLUMN compacted_through`
  yield* sql`ALTER TABLE receipts ADD COLUMN digest TEXT`

  // A thread without its entries and turns. It includes the log up to `sequence`.
  yield* sql`
    CREATE TABLE heads (
      thread_id TEXT PRIMARY KEY,
      sequence INTEGER NOT NULL,
      payload TEXT NOT NULL
    ) STRICT`

  // The transcript. `kind` is the entry's type, by which prompts are found.
  yield* sql`
    CREATE TABLE items (
      thread_id TEXT NOT NULL,
      position INTEGER NOT NULL,
      item_id TEXT NOT NULL,
      kind TEXT NOT NULL,
      payload TEXT NOT NULL,
      PRIMARY KEY (thread_id, position)
    ) STRICT`
  yield* sql`CREATE UNIQUE INDEX items_by_id ON items (thread_id, item_id)`
  yield* sql`CREATE INDEX items_said ON items (thread_id, position) WHERE kind = 'prompt'`

  // accepted: to be run, also after a restart · dispatched: the agent may have begun · done · lost: never run again · withdrawn:
  // taken back before. The other columns are as of the last fold, and empty before the first; `ended` is whether it was over then.
  yield* sql`
    CREATE TABLE folded_turns (
      thread_id TEXT NOT NULL,
      turn_id TEXT NOT NULL,
      status TEXT NOT NULL CHECK (status IN ('accepted', 'dispatched', 'done', 'lost', 'withdrawn')),
      position INTEGER,
      first_item INTEGER,
      ended INTEGER,
      payload TEXT,
      PRIMARY KEY (thread_id, turn_id)
    ) STRICT`
  yield* sql`INSERT INTO folded_turns (thread_id, turn_id, status) SELECT thread_id, turn_id, status FROM turns`
  yield* sql`DROP TABLE turns`
  yield* sql`ALTER TABLE folded_turns RENAME TO turns`
  yield* sql`CREATE UNIQUE INDEX turns_in_order ON turns (thread_id, position)`
  yield* sql`CREATE INDEX turns_by_entry ON turns (thread_id, first_item)`
  yield* sql`CREATE INDEX turns_unfinished ON turns (thread_id) WHERE status IN ('accepted', 'dispatched')`
  yield* sql`CREATE INDEX turns_going_on ON turns (thread_id) WHERE ended = 0`

  // Pieces of the long texts of tool calls, each kept once, and the entries that hold them.
  yield* sql`CREATE TABLE outputs (hash TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT`
  yield* sql`
    CREATE TABLE output_refs (
      thread_id TEXT NOT NULL,
      item_id TEXT NOT NULL,
      hash TEXT NOT NULL,
      PRIMARY KEY (thread_id, item_id, hash)
    ) STRICT, WITHOUT ROWID`
  yield* sql`CREATE INDEX output_refs_by_hash ON output_refs (hash, thread_id)`
})
