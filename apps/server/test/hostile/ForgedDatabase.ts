/** Databases whose rows somebody else wrote, and the server that has them after `signalbox restore`. */
import type { ProviderOptions } from "@signalbox/contracts/Provider"
import type { ThreadId } from "@signalbox/contracts/Ids"
import type { ThreadEvent } from "@signalbox/contracts/ThreadEvent"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import { hasEnded } from "@signalbox/threads/TurnState"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { join } from "node:path"
import { DatabaseSync, type SQLInputValue } from "node:sqlite"
import { call, temporaryFolder } from "../cli/support/Signalbox.ts"
import * as Databases from "../support/Databases.ts"
import { logged } from "../support/ThreadEvents.ts"
import { ThreadRecord } from "../support/ThreadRecord.ts"

export interface Forged {
  readonly threadId: ThreadId
  readonly events: ReadonlyArray<ThreadEvent>
  /** Rows of the transcript instead of rows of the log. */
  readonly folded: boolean
  readonly options?: ProviderOptions
}

/** A state folder in which a backup with these threads was restored. */
export const restored = Effect.fnUntraced(function* (threads: ReadonlyArray<Forged>) {
  const file = yield* Databases.file
  yield* Effect.scoped(Databases.open(file))
  const database = new DatabaseSync(file)
  database.exec("BEGIN")
  for (const thread of threads) write(database, thread)
  database.exec("COMMIT")
  database.close()
  const state = temporaryFolder("state")
  const copy = join(temporaryFolder("backups"), "forged")
  Databases.meddle(file, `VACUUM INTO '${copy}'`)
  const { code, stderr } = yield* call(["restore", copy, "--state-dir", state])
  assert.strictEqual(code, 0, stderr)
  return { state, restoredWith: stderr }
})

const write = (database: DatabaseSync, { events, folded, options = {}, threadId }: Forged): void => {
  const insert = (table: string, row: Readonly<Record<string, SQLInputValue>>) => {
    const names = Object.keys(row)
    const places = names.map(() => "?").join(", ")
    database.prepare(`INSERT INTO ${table} (${names.join(", ")}) VALUES (${places})`).run(...Object.values(row))
  }
  const thread_id = threadId
  const record = new ThreadRecord(threadId)
  record.step(events)
  const { head, items, turns } = record.fold()
  const row = { thread_id, summary: JSON.stringify(summaryOf(head)), provider_options: JSON.stringify(options) }
  insert("threads", { ...row, session_open: 1 })
  if (!folded)
    for (const { event, sequence } of logged(0, events))
      insert("events", { thread_id, sequence, payload: JSON.stringify(event) })
  else insert("heads", { thread_id, sequence: head.sequence, payload: JSON.stringify({ ...head, turns: [] }) })
  for (const { firstItem = null, position, turn } of turns)
    insert("turns", {
      thread_id,
      turn_id: turn.turnId,
      status: hasEnded(turn.status) ? "done" : turn.status === "queued" ? "accepted" : "dispatched",
      ...(folded && {
        position,
        first_item: firstItem,
        ended: hasEnded(turn.status) ? 1 : 0,
        payload: JSON.stringify(turn)
      })
    })
  if (folded)
    for (const { item, position } of items)
      insert("items", { thread_id, position, item_id: item.itemId, kind: item.type, payload: JSON.stringify(item) })
}

const summaryOf = ({ createdAt, cwd, provider, sequence, threadId, title, updatedAt }: Omit<ThreadView, "items">) => ({
  threadId,
  sequence,
  title,
  provider,
  cwd,
  createdAt,
  updatedAt
})
