import { ItemView } from "@signalbox/contracts/ThreadView"
import * as TurnCount from "@signalbox/threads/TurnCount"
import * as TurnTotals from "@signalbox/contracts/TurnTotals"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"

const decodeItem = Schema.decodeUnknownOption(Schema.fromJsonString(ItemView))

/** The number of entries that are read at once. */
const pageSize = 200

interface Row {
  readonly position: number
  readonly turn_id: string | null
  readonly tool: string | null
}

/**
 * Adds totals to turns. The totals of existing turns are computed once. A damaged entry counts as an entry and affects
 * no other.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const threads = yield* sql<{ readonly thread_id: string }>`
    SELECT DISTINCT thread_id FROM turns WHERE payload IS NOT NULL AND json_valid(payload)`
  for (const { thread_id } of threads) {
    const totals = new Map<string, TurnTotals.TurnTotals>()
    for (let behind = 0; ;) {
      const rows: ReadonlyArray<Row> = yield* sql<Row>`
        SELECT position,
               CASE WHEN json_valid(payload) THEN json_extract(payload, '$.turnId') END AS turn_id,
               CASE WHEN kind = 'tool' THEN payload END AS tool
        FROM items WHERE thread_id = ${thread_id} AND position > ${behind} ORDER BY position LIMIT ${pageSize}`
      for (const { tool, turn_id } of rows) {
        if (turn_id === null) continue
        const before = totals.get(turn_id) ?? TurnTotals.none
        const item = tool === null ? undefined : Option.getOrUndefined(decodeItem(tool))
        totals.set(
          turn_id,
          item === undefined ? { ...before, entries: before.entries + 1 } : TurnCount.after(before, undefined, item)
        )
      }
      const last = rows.at(-1)
      if (last === undefined) break
      behind = last.position
    }
    for (const [turnId, counted] of totals)
      yield* sql`
        UPDATE turns SET payload = json_set(payload, '$.totals', json(${JSON.stringify(counted)}))
        WHERE thread_id = ${thread_id} AND turn_id = ${turnId} AND payload IS NOT NULL AND json_valid(payload)`
  }
})
