/** How a thread is removed: every row of it, from every table, and then the room that they took. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import * as Effect from "effect/Effect"
import type { Outputs } from "./Outputs.ts"
import { Sqlite } from "./Sqlite.ts"

const tables = ["events", "items", "turns", "heads", "receipts", "provider_sessions", "threads"]

export const make = Effect.fnUntraced(function* (outputs: Outputs) {
  const { prepare, shrink, transaction } = yield* Sqlite
  const deletions = yield* Effect.forEach(tables, (table) => prepare(`DELETE FROM ${table} WHERE thread_id = ?`))

  const remove = (threadId: ThreadId): void => {
    for (const deletion of deletions) deletion.run(threadId)
    outputs.removeThread(threadId)
  }
  return Effect.fn("ThreadStore.remove")(function* (threadId: ThreadId) {
    yield* transaction(() => remove(threadId), { durable: true })
    // The rows are gone; what another program holds on to goes with a later checkpoint.
    yield* Effect.catchIf(
      shrink,
      ({ reason }) => reason === "locked",
      ({ message }) => Effect.logWarning(message)
    )
  })
})
