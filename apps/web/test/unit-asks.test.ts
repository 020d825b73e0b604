/** Time that people take over a request is theirs. A call that proposes a plan is known by the plan. */
import type { AgentRequest } from "@signalbox/contracts/AgentRequest"
import { ItemId, RequestId } from "@signalbox/contracts/Ids"
import type { ItemView, ThreadView } from "@signalbox/contracts/ThreadView"
import type { ToolCall } from "@signalbox/contracts/ToolCall"
import { assert, describe, it } from "@effect/vitest"
import { entriesOf } from "../src/transcript/entries.ts"
import { tool, working } from "./gallery/thread.ts"

const { planned: _, ...unplanned } = { ...working, plan: [], requests: [] }
const turnId = working.turns[0]!.turnId
const entry = (call: ToolCall): ItemView => ({ type: "tool", itemId: ItemId.make("call"), turnId, at: 1, tool: call })
const over = (request: AgentRequest, response: { readonly type: "reject" | "skip" }): ItemView => ({
  type: "request",
  itemId: ItemId.make("request"),
  turnId,
  at: request.at + 9000,
  request,
  outcome: { type: "answered", response: { ...response, reason: "" } }
})
const callIn = (view: ThreadView) => entriesOf(view).find(({ key }) => key === "call")

const asking = tool(0, undefined, { toolCallId: "q", kind: "other", title: "Ask Question" })
const question: AgentRequest = {
  type: "question",
  requestId: RequestId.make("r"),
  toolCallId: "q",
  questions: [],
  at: asking.startedAt
}

const proposing = tool(0, 10, {
  toolCallId: "p",
  kind: "other",
  title: "Create Plan: Greeting",
  rawInput: '{"_toolName":"createPlan","name":"Greeting"}'
})
const proposal: AgentRequest = {
  type: "plan",
  requestId: RequestId.make("r"),
  toolCallId: "p",
  plan: "",
  entries: [],
  at: proposing.startedAt
}

describe("a tool call that asks people", () => {
  it("waits for them as long as its question is open, and takes none of that time", () => {
    const open = callIn({
      ...unplanned,
      items: [entry(asking)],
      requests: [{ request: question, turnId, answered: false }]
    })
    assert.isTrue(open?.type === "item" && open.waits && !open.asked)
    const done = callIn({ ...unplanned, items: [entry(asking), over(question, { type: "skip" })] })
    assert.isTrue(done?.type === "item" && !done.waits && done.waitedMs === 9000)
  })

  it("proposes a plan that is an entry itself, also once it is rejected", () => {
    const items = [entry(proposing), over(proposal, { type: "reject" })]
    assert.isUndefined(callIn({ ...unplanned, items }))
    assert.isDefined(callIn({ ...unplanned, items: [entry(proposing)] }))
    assert.isDefined(callIn({ ...unplanned, items: [entry({ ...proposing, status: "failed" }), ...items.slice(1)] }))
  })
})
