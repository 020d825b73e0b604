/**
 * The totals of a turn, stored with it, so they do not depend on the loaded entries. `TurnCount` counts them.
 * `entries`: of the transcript. `tools`: calls, without those that only write the plan. `kinds`: these calls by their
 * kind. `edits`: calls that changed files, with their changed lines; `unmeasured` of them are too large to compare.
 * `failed` and `rejected` calls count only as tools.
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
