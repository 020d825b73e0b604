/**
 * What a turn amounts to, kept with the turn. So it is the same however many of its entries are at hand. `TurnCount` counts it. `entries`:
 * of the transcript. `tools`: calls, but for those that only write the plan down. `kinds`: these calls by their kind. `edits`: calls that
 * changed files, with the lines of these changes; `unmeasured` of them are too large to be compared. `failed` and `rejected` calls count as
 * nothing else but tools.
 */
import * as Schema from "effect/Schema"

export const TurnTotals = Schema.Struct({
  entries: Schema.Int,
  tools: Schema.Int,
  kinds: Schema.Record(Schema.String, Schema.Int),
  edits: Schema.Int,
  added: Schema.Int,
  removed: Schema.Int,
  unmeasured: Schema.Int,
  failed: Schema.Int,
  rejected: Schema.Int
})
export type TurnTotals = typeof TurnTotals.Type

export const none: TurnTotals = {
  entries: 0,
  tools: 0,
  kinds: {},
  edits: 0,
  added: 0,
  removed: 0,
  unmeasured: 0,
  failed: 0,
  rejected: 0
}
