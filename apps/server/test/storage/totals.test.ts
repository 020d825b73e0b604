/** Totals of a turn against the rows of the database: after a fold, a restart, in windows and in databases of before. */
import { ItemId } from "@signalbox/contracts/Ids"
import type { ThreadEvent } from "@signalbox/contracts/ThreadEvent"
import type { ToolCall } from "@signalbox/contracts/ToolCall"
import type { TurnTotals } from "@signalbox/contracts/TurnTotals"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as OutputExtraction from "../../src/orchestration/OutputExtraction.ts"
import * as Databases from "../support/Databases.ts"
import { begun, created, runtime, threadId, told, toolCall, turnId } from "../support/ThreadEvents.ts"
import { ThreadRecord } from "../support/ThreadRecord.ts"

const said: ThreadEvent = {
  type: "message.delta",
  ...runtime,
  turnId,
  itemId: ItemId.make(`${turnId}:assistant`),
  offset: 0,
  text: "Done."
}
const ended: ThreadEvent = { type: "turn.completed", ...runtime, turnId, outcome: "completed" }
const calls = 30_000
const outcomes = [
  { status: "completed" },
  { status: "completed", kind: "edit", diffs: [{ path: "/a", oldText: "a\n", newText: "b\nc\n" }] },
  { status: "failed" },
  { status: "rejected", kind: "edit", diffs: [{ path: "/a", oldText: "a\n", newText: "b\n" }] },
  { status: "cancelled", kind: "read" }
] satisfies ReadonlyArray<Partial<ToolCall>>

const call = (n: number): ReadonlyArray<ThreadEvent> => [
  told("tool.started", toolCall({ toolCallId: `c${n}` })),
  told("tool.completed", toolCall({ toolCallId: `c${n}`, ...outcomes[n % outcomes.length], endedAt: 2 }))
]

/** What another program counts in the file. */
const counted = (file: string) =>
  Databases.query(
    file,
    `SELECT count(*) AS entries, sum(kind = 'tool') AS tools,
       sum(payload ->> '$.tool.status' = 'failed') AS failed, sum(payload ->> '$.tool.status' = 'rejected') AS rejected,
       sum(payload ->> '$.tool.status' = 'completed' AND json_array_length(payload, '$.tool.diffs') > 0) AS edits
     FROM items WHERE payload ->> '$.turnId' = '${turnId}'`
  )[0]

const same = (totals: TurnTotals | undefined, file: string) => {
  const { edits, entries, failed, rejected, tools } = totals ?? {}
  assert.deepStrictEqual({ entries, tools, failed, rejected, edits }, counted(file))
}

describe("the totals of a turn of 30,000 tool calls", () => {
  it.effect(
    "are what the rows say, in a small window and in a database that did not have them",
    () =>
      Effect.gen(function* () {
        const file = yield* Databases.file
        const window = { turns: 20, items: 50 }
        const totals = yield* Effect.gen(function* () {
          const { store } = yield* Databases.open(file)
          const record = new ThreadRecord(threadId)
          yield* store.commit([record.step([created, ...begun])])
          const work = Array.from({ length: calls }, (_, n) => call(n)).flat()
          yield* store.commit([record.step([...work, said, ended])])
          yield* store.fold(record.fold())
          const loaded = yield* store.load(threadId, window)
          return loaded?.folded?.latest.turns[0]?.turn.totals
        }).pipe(Effect.scoped)
        same(totals, file)
        assert.deepInclude(totals, { entries: calls + 2, tools: calls, added: 12_000, removed: 6000 })
        assert.deepStrictEqual(totals?.kinds, { execute: 12_000, edit: 12_000, read: 6000 })

        Databases.meddle(
          file,
          `UPDATE turns SET payload = json_remove(payload, '$.totals');
           INSERT INTO items VALUES ('${threadId}', 99999, 'damaged', 'tool', '{"turnId": ');
           DELETE FROM migrations WHERE migration_id >= 6;
           DROP TABLE drafts; DROP TABLE draft_attachments`
        )
        const { store } = yield* Databases.open(file)
        Databases.meddle(file, "DELETE FROM items WHERE position = 99999")
        const loaded = yield* store.load(threadId, window)
        assert.deepStrictEqual(loaded?.folded?.latest.turns[0]?.turn.totals, totals)
      }),
    120_000
  )
})

describe("a change whose texts are stored elsewhere", () => {
  it("counts with the lines of the whole", () => {
    const line = "a line of some length, as programs have them\n"
    const diff = { path: "/a", oldText: line.repeat(900), newText: line.repeat(1000) }
    const { events } = OutputExtraction.extract(
      [told("tool.completed", toolCall({ status: "completed", diffs: [diff] }))],
      () => undefined
    )
    const [event] = events
    const stored = event && "tool" in event ? event.tool.diffs[0] : undefined
    assert.isBelow(stored?.newText.length ?? 0, 9000)
    assert.deepStrictEqual(stored?.lines, { added: 100, removed: 0 })
  })
})
