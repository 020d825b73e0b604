import { ItemView } from "@signalbox/contracts/ThreadView"
import * as TurnCount from "@signalbox/threads/TurnCount"
import * as TurnTotals from "@signalbox/contracts/TurnTotals"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"

const decodeItem = Schema.decodeUnknownOption(Schema.fromJsonString(ItemView))

interface Answer {
  readonly threadId: string
  readonly turnId: string
  readonly toolCallId: string
  readonly refused: number
}

interface Call {
  readonly place: number
  readonly turnId: string
  readonly toolCallId: string
  readonly payload: string
}

const callOf = ({ toolCallId, turnId }: Pick<Call, "toolCallId" | "turnId">): string =>
  JSON.stringify([turnId, toolCallId])

/** The calls whose last answer was a refusal, by thread. */
const refusedOf = (answers: ReadonlyArray<Answer>): ReadonlyMap<string, ReadonlySet<string>> => {
  const refused = new Map<string, Set<string>>()
  for (const answer of answers) {
    const calls = refused.get(answer.threadId) ?? new Set()
    if (answer.refused === 1) calls.add(callOf(answer))
    else calls.delete(callOf(answer))
    refused.set(answer.threadId, calls)
  }
  return refused
}

/**
 * Marks refused calls as rejected, as new calls are when they end. Until now, a refused call was stored as done if the
 * agent called it completed and sent a diff. A call that ran, as its exit code or output shows, stays as it was.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const isRefusal = sql.literal(`EXISTS (
    SELECT 1 FROM json_each(request, '$.options')
    WHERE json_extract(value, '$.optionId') = json_extract(outcome, '$.response.optionId')
      AND json_extract(value, '$.kind') LIKE 'reject%')`)
  const endedUnseen =
    sql.literal(`json_extract(payload, '$.tool.status') IN ('completed', 'failed', 'cancelled', 'unfinished')
    AND json_extract(payload, '$.tool.result.exitCode') IS NULL
    AND coalesce(json_extract(payload, '$.tool.result.stdout'), '') = ''
    AND coalesce(json_extract(payload, '$.tool.result.stderr'), '') = ''
    AND coalesce(json_array_length(payload, '$.tool.terminals'), 0) = 0`)

  const answers = yield* sql<Answer>`
    WITH
    told AS MATERIALIZED (SELECT thread_id, sequence, payload FROM events WHERE json_valid(payload)),
    requested AS MATERIALIZED (
      SELECT thread_id, json_extract(payload, '$.request.requestId') AS request_id, json_extract(payload, '$.turnId') AS turn_id,
        json_extract(payload, '$.request') AS request
      FROM told WHERE json_extract(payload, '$.type') = 'approval.requested'
      UNION ALL
      SELECT thread_id, json_extract(value, '$.request.requestId'), json_extract(value, '$.turnId'), json_extract(value, '$.request')
      FROM heads, json_each(heads.payload, '$.requests')
      WHERE json_valid(heads.payload) AND json_extract(value, '$.request.type') = 'approval'
    ),
    answered AS (
      SELECT 0 AS log, thread_id, position AS place, json_extract(payload, '$.turnId') AS turn_id,
        json_extract(payload, '$.request') AS request, json_extract(payload, '$.outcome') AS outcome
      FROM items WHERE kind = 'request' AND json_valid(payload) AND json_extract(payload, '$.request.type') = 'approval'
      UNION ALL
      SELECT 1, told.thread_id, told.sequence, requested.turn_id, requested.request, json_extract(told.payload, '$.outcome')
      FROM told JOIN requested
        ON requested.thread_id = told.thread_id AND requested.request_id = json_extract(told.payload, '$.requestId')
      WHERE json_extract(told.payload, '$.type') = 'approval.resolved'
    )
    SELECT thread_id AS threadId, turn_id AS turnId, json_extract(request, '$.tool.toolCallId') AS toolCallId,
      ${isRefusal} AS refused
    FROM answered WHERE turn_id IS NOT NULL AND json_extract(outcome, '$.type') = 'answered'
    ORDER BY thread_id, log, place`

  for (const [threadId, refused] of refusedOf(answers)) {
    if (refused.size === 0) continue
    const items = yield* sql<Call>`
      SELECT position AS place, json_extract(payload, '$.turnId') AS turnId,
        json_extract(payload, '$.tool.toolCallId') AS toolCallId, payload
      FROM items WHERE thread_id = ${threadId} AND kind = 'tool' AND json_valid(payload) AND ${endedUnseen}`
    const changes = new Map<string, Array<readonly [ItemView, ItemView]>>()
    for (const row of items) {
      const item = refused.has(callOf(row)) ? Option.getOrUndefined(decodeItem(row.payload)) : undefined
      if (item?.type !== "tool") continue
      const change = [item, { ...item, tool: { ...item.tool, status: "rejected" } }] as const
      changes.set(row.turnId, [...(changes.get(row.turnId) ?? []), change])
      yield* sql`
        UPDATE items SET payload = json_set(payload, '$.tool.status', 'rejected')
        WHERE thread_id = ${threadId} AND position = ${row.place}`
    }
    for (const [turnId, changed] of changes) {
      const turns = yield* sql<{ readonly totals: string }>`
        SELECT json_extract(payload, '$.totals') AS totals FROM turns
        WHERE thread_id = ${threadId} AND turn_id = ${turnId} AND json_valid(payload)
          AND json_type(payload, '$.totals') = 'object'`
      for (const { totals } of turns) {
        const counted = Option.getOrUndefined(decodeTotals(totals))
        if (counted === undefined) continue
        const now = changed.reduce((sum, [before, after]) => TurnCount.after(sum, before, after), counted)
        yield* sql`
          UPDATE turns SET payload = json_set(payload, '$.totals', json(${JSON.stringify(now)}))
          WHERE thread_id = ${threadId} AND turn_id = ${turnId}`
      }
    }
    const events = yield* sql<Omit<Call, "payload">>`
      SELECT sequence AS place, json_extract(payload, '$.turnId') AS turnId,
        json_extract(payload, '$.tool.toolCallId') AS toolCallId
      FROM events WHERE thread_id = ${threadId} AND json_valid(payload)
        AND json_extract(payload, '$.type') IN ('tool.started', 'tool.updated', 'tool.completed') AND ${endedUnseen}`
    for (const row of events)
      if (refused.has(callOf(row)))
        yield* sql`
          UPDATE events SET payload = json_set(payload, '$.tool.status', 'rejected')
          WHERE thread_id = ${threadId} AND sequence = ${row.place}`
  }
})

const decodeTotals = Schema.decodeUnknownOption(Schema.fromJsonString(TurnTotals.TurnTotals))
