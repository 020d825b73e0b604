/** Whatever ids an agent gives its calls, each call is an entry of its own. It takes nothing from other entries. */
import { Sequence } from "@signalbox/contracts/Ids"
import type { ThreadEvent } from "@signalbox/contracts/ThreadEvent"
import * as ThreadProjection from "@signalbox/threads/ThreadProjection"
import { assert, describe, it } from "@effect/vitest"
import { call, change, projection, text } from "../../support/ProjectionHarness.ts"
import { created, threadId } from "../../support/ThreadEvents.ts"
import { TurnId } from "@signalbox/contracts/Ids"

const turnId = TurnId.make("t1")
const before: ReadonlyArray<ThreadEvent> = [
  created,
  { type: "turn.queued", threadId, at: 1, turnId, prompt: [{ type: "text", text: "The prompt" }] },
  { type: "turn.dispatched", threadId, at: 1, turnId }
]

const viewOf = (events: ReadonlyArray<ThreadEvent>) =>
  ThreadProjection.apply(
    undefined,
    [...before, ...events].map((event, index) => ({ sequence: Sequence.make(index + 1), event }))
  )

/** Entries in a few words: their kind, and what distinguishes them. */
const shown = (events: ReadonlyArray<ThreadEvent>) =>
  viewOf(events).items.map((item) => {
    if (item.type === "message") return item.text
    return item.type === "tool" ? `tool ${item.tool.toolCallId} ${item.tool.status}` : item.type
  })

describe("tool calls with ids like ours", () => {
  for (const id of ["assistant", "assistant:2", "prompt", "thought", "problem", "tool:assistant", "written:1"])
    it(`${id}: the call is shown, and so is everything else`, () => {
      const session = projection()
      session.begin("t1")
      session.feed(text("First."), call(id), change(id, { status: "completed" }), text("Second."))
      session.feed(call(`tool:${id}`), text("Third."))
      session.end()
      assert.deepStrictEqual(shown(session.events), [
        "prompt",
        "First.",
        `tool ${id} completed`,
        "Second.",
        `tool tool:${id} unfinished`,
        "Third."
      ])
    })

  it("the id of an event outside of turns: the call is shown, and so is the event", () => {
    const session = projection()
    session.feed(call("3"), call("1"), { sessionUpdate: "new_kind", of: "update" })
    session.feed(change("1", { status: "completed" }))
    const ids = viewOf(session.events).items.map(({ itemId }) => itemId)
    assert.strictEqual(new Set(ids).size, ids.length)
    assert.deepStrictEqual(shown(session.events), ["prompt", "tool 3 pending", "tool 1 completed", "unknown"])
  })
})
