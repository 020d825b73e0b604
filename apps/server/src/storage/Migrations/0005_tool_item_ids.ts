import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/** The prefixes that `toolItemName` reserved when this migration was written. */
const ours = /^(?:assistant|thought|prompt|problem|heard|subagent|file|compaction|written|tool)(?:[:-]|$)/
const numbered = /^(?:\d+(?::|$)|replay(?:-|:|$))/

interface Row {
  readonly threadId: string
  readonly place: number
  readonly itemId: string
  readonly toolCallId: string
  readonly inTurn: number
}

/** The new id of the call's entry. Undefined if it stays, or if it isn't made of the call's id. */
const renamed = ({ inTurn, itemId, toolCallId }: Row): string | undefined => {
  if (!ours.test(toolCallId) && (inTurn !== 0 || !numbered.test(toolCallId))) return undefined
  return itemId.endsWith(`:${toolCallId}`) ? `${itemId.slice(0, -toolCallId.length)}tool:${toolCallId}` : undefined
}

/**
 * Gives entries of their own to tool calls with ids that look like ours. Until now they replaced prompts and messages,
 * or were not shown. Text that such a call has replaced in a folded thread is lost. Text in the log comes back.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const items = yield* sql<Row>`
    SELECT thread_id AS threadId, position AS place, item_id AS itemId,
      coalesce(json_extract(payload, '$.tool.toolCallId'), '') AS toolCallId,
      coalesce(json_extract(payload, '$.turnId'), json_extract(payload, '$.replayed')) IS NOT NULL AS inTurn
    FROM items WHERE kind = 'tool' AND json_valid(payload)
    ORDER BY length(item_id) DESC`
  for (const row of items) {
    const itemId = renamed(row)
    if (itemId === undefined) continue
    const { place, threadId } = row
    yield* sql`
      UPDATE items SET item_id = ${itemId}, payload = json_set(payload, '$.itemId', ${itemId})
      WHERE thread_id = ${threadId} AND position = ${place}`
    yield* sql`UPDATE output_refs SET item_id = ${itemId} WHERE thread_id = ${threadId} AND item_id = ${row.itemId}`
  }

  const events = yield* sql<Row>`
    SELECT thread_id AS threadId, sequence AS place,
      json_extract(payload, '$.itemId') AS itemId, json_extract(payload, '$.tool.toolCallId') AS toolCallId,
      coalesce(json_extract(payload, '$.turnId'), json_extract(payload, '$.replayed')) IS NOT NULL AS inTurn
    FROM events
    WHERE json_valid(payload)
      AND json_extract(payload, '$.type') IN ('tool.started', 'tool.updated', 'tool.completed')
      AND json_type(payload, '$.itemId') = 'text' AND json_type(payload, '$.tool.toolCallId') = 'text'`
  for (const row of events) {
    const itemId = renamed(row)
    if (itemId === undefined) continue
    yield* sql`
      UPDATE events SET payload = json_set(payload, '$.itemId', ${itemId})
      WHERE thread_id = ${row.threadId} AND sequence = ${row.place}`
  }
})
