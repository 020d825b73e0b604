/** The long texts of tool calls, in pieces. Each piece is stored once, as long as an entry of a thread uses it. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import type { ItemView } from "@signalbox/contracts/ThreadView"
import type { ToolCall } from "@signalbox/contracts/ToolCall"
import * as Effect from "effect/Effect"
import { Sqlite } from "./Sqlite.ts"
import type { Chunk } from "./ThreadStore.ts"

/** All functions are synchronous and run inside a transaction. `get` also runs inside a read. */
export const make = Effect.gen(function* () {
  const { prepare } = yield* Sqlite
  const insertOutput = yield* prepare("INSERT INTO outputs (hash, text) VALUES (?, ?) ON CONFLICT DO NOTHING")
  const insertRef = yield* prepare(
    "INSERT INTO output_refs (thread_id, item_id, hash) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
  )
  const dropRefs = yield* prepare(
    `DELETE FROM output_refs WHERE thread_id = ? AND item_id = ? AND hash NOT IN (SELECT value FROM json_each(?))
     RETURNING hash`
  )
  const selectHolders = yield* prepare(
    `SELECT value AS item_id FROM json_each(?2)
     WHERE EXISTS (SELECT 1 FROM output_refs WHERE thread_id = ?1 AND item_id = value)`
  )
  const dropThread = yield* prepare("DELETE FROM output_refs WHERE thread_id = ? RETURNING hash")
  const dropOutput = yield* prepare(
    "DELETE FROM outputs WHERE hash = ?1 AND NOT EXISTS (SELECT 1 FROM output_refs WHERE hash = ?1)"
  )
  const selectOutput = yield* prepare(
    `SELECT text FROM outputs
     WHERE hash = ?1 AND EXISTS (SELECT 1 FROM output_refs WHERE hash = ?1 AND thread_id = ?2)`
  )

  const put = (threadId: ThreadId, { itemId, name, text }: Chunk): void => {
    insertOutput.run(name, text)
    insertRef.run(threadId, itemId, name)
  }
  /** Releases pieces that these entries don't use any more. The new text of a call replaces the earlier one. */
  const settle = (threadId: ThreadId, items: ReadonlyArray<ItemView>): void => {
    const tools = new Map<string, ToolCall>()
    for (const item of items) if (item.type === "tool") tools.set(item.itemId, item.tool)
    if (tools.size === 0) return
    // Few calls have ever had pieces, so one query covers all of them.
    for (const row of selectHolders.all(threadId, JSON.stringify([...tools.keys()]))) {
      const itemId = String(row.item_id)
      const held = tools.get(itemId)?.long?.flatMap(({ chunks }) => chunks) ?? []
      for (const { hash } of dropRefs.all(threadId, itemId, JSON.stringify(held))) dropOutput.run(String(hash))
    }
  }
  const removeThread = (threadId: ThreadId): void => {
    for (const { hash } of dropThread.all(threadId)) dropOutput.run(String(hash))
  }
  const get = (threadId: ThreadId, name: string): string | undefined => {
    const row = selectOutput.get(name, threadId)
    return row === undefined ? undefined : String(row.text)
  }
  return { put, settle, removeThread, get }
})

export type Outputs = Effect.Success<typeof make>
