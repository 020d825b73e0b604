/** Removes a thread: all its rows from all tables, then their traces in the file. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import * as Effect from "effect/Effect"
import * as Erasure from "./Erasure.ts"
import type { Outputs } from "./Outputs.ts"
import { Sqlite } from "./Sqlite.ts"

const tables = [
  "events",
  "items",
  "turns",
  "heads",
  "receipts",
  "provider_sessions",
  "drafts",
  "draft_attachments",
  "threads"
]

export const make = Effect.fnUntraced(function* (outputs: Outputs) {
  const { prepare, transaction } = yield* Sqlite
  const erasure = yield* Erasure.make
  const deletions = yield* Effect.forEach(tables, (table) => prepare(`DELETE FROM ${table} WHERE thread_id = ?`))

  const remove = (threadId: ThreadId): void => {
    for (const deletion of deletions) deletion.run(threadId)
    outputs.removeThread(threadId)
    erasure.owe()
  }
  return Effect.fn("ThreadStore.remove")(function* (threadId: ThreadId) {
    yield* transaction(() => remove(threadId), { durable: true })
    yield* erasure.settle
  })
})
