/** Calls that people refused, in databases of before: an agent that called them completed was believed then. */
import { optionOf } from "@signalbox/contracts/AgentRequest"
import { RequestId } from "@signalbox/contracts/Ids"
import type { ThreadEvent } from "@signalbox/contracts/ThreadEvent"
import type { ToolCall } from "@signalbox/contracts/ToolCall"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Databases from "../support/Databases.ts"
import { begun, created, runtime, threadId, told, toolCall, turnId } from "../support/ThreadEvents.ts"
import { everything, ThreadRecord, viewOf } from "../support/ThreadRecord.ts"

const ofTurn = { ...runtime, turnId }
const options = [
  { optionId: "yes", name: "Yes", kind: "allow_once" },
  { optionId: "no", name: "No", kind: "reject_once" }
] as const

const asked = (tool: ToolCall, answer: "yes" | "no", round: number): ReadonlyArray<ThreadEvent> => {
  const requestId = RequestId.make(`${tool.toolCallId}-${round}`)
  const request = { type: "approval", requestId, tool, options, at: 1 } as const
  return [
    { type: "approval.requested", ...ofTurn, request },
    {
      type: "approval.resolved",
      ...ofTurn,
      requestId,
      outcome: { type: "answered", response: optionOf(request, answer) }
    }
  ]
}

/** The events of one call: begun, asked about for each answer, and ended as the agent said. */
const call = (toolCallId: string, answers: ReadonlyArray<"yes" | "no">, end: Partial<ToolCall>) => {
  const edit = { toolCallId, kind: "edit", diffs: [{ path: "/a", oldText: "a\n", newText: "b\n" }] } as const
  return {
    before: [
      told("tool.started", toolCall(edit)),
      ...answers.flatMap((answer, round) => asked(toolCall(edit), answer, round))
    ],
    after: [told("tool.completed", toolCall({ ...edit, status: "completed", endedAt: 2, ...end }))]
  }
}

const calls = [
  call("refused", ["no"], {}),
  call("failed", ["no"], { status: "failed" }),
  call("open", ["no"], { status: "cancelled" }),
  call("allowed", ["yes"], {}),
  call("allowed later", ["no", "yes"], {}),
  call("ran all the same", ["no"], { result: { exitCode: 0 } }),
  call("printed all the same", ["no"], { result: { stdout: "x" } })
]
const statuses: Readonly<Record<string, ToolCall["status"]>> = {
  refused: "rejected",
  failed: "rejected",
  open: "rejected",
  allowed: "completed",
  "allowed later": "completed",
  "ran all the same": "completed",
  "printed all the same": "completed"
}

describe("calls that people refused, as they were stored before", () => {
  it.live.each(["all of it", "what came before the ends", "nothing"])(
    "are rejected, and counted as such, where %s was folded",
    (folded) =>
      Effect.gen(function* () {
        const file = yield* Databases.file
        yield* Effect.gen(function* () {
          const { store } = yield* Databases.open(file)
          const record = new ThreadRecord(threadId)
          yield* store.commit([record.step([created, ...begun, ...calls.flatMap(({ before }) => before)])])
          if (folded !== "nothing") yield* store.fold(record.fold())
          yield* store.commit([record.step(calls.flatMap(({ after }) => after))])
          if (folded === "all of it") yield* store.fold(record.fold())
        }).pipe(Effect.scoped)
        Databases.meddle(
          file,
          "DELETE FROM migrations WHERE migration_id >= 7; DROP TABLE drafts; DROP TABLE draft_attachments"
        )
        const { store } = yield* Databases.open(file)
        const loaded = yield* store.load(threadId, everything)
        const { items, turns } = viewOf(loaded!)
        assert.deepStrictEqual(
          Object.fromEntries(
            items.flatMap((item) => (item.type === "tool" ? [[item.tool.toolCallId, item.tool.status]] : []))
          ),
          statuses
        )
        assert.deepInclude(turns[0]?.totals, { tools: 7, edits: 4, added: 4, removed: 4, rejected: 3, failed: 0 })
      })
  )
})
