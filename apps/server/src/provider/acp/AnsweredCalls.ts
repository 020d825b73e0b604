/** Calls that were allowed: whether they stay what was allowed. A change after the answer is told in the transcript. */
import type { ToolCall } from "@signalbox/contracts/ToolCall"
import type { EventDraft, Place } from "./EventSink.ts"
import * as RequestFacts from "./RequestFacts.ts"
import * as ToolProjection from "./ToolProjection.ts"

interface Allowed {
  readonly place: Place
  readonly now: () => ToolCall
  facts: RequestFacts.RequestFacts
  tool: ToolCall
  told: number
}

/** Calls that are compared, and changes of one that are told. */
const maxCalls = 64
const maxTold = 4

export interface AnsweredCalls {
  readonly add: (
    entry: { readonly place: Place; readonly now: () => ToolCall; readonly request: { readonly tool: ToolCall } },
    facts: RequestFacts.RequestFacts
  ) => void
  /** Compares every call with what was allowed, and tells what differs. Synchronous. */
  readonly compare: () => void
}

export const make = (emit: (draft: EventDraft) => void): AnsweredCalls => {
  const calls: Array<Allowed> = []

  const compareOne = (call: Allowed) => {
    const tool = call.now()
    if (call.told > maxTold || RequestFacts.isSameCall(call.tool, tool)) return
    const before = call.facts
    call.tool = tool
    call.facts = RequestFacts.withCall(before, tool)
    if (RequestFacts.changesBetween(before, call.facts).length === 0 || isItsResult(before, call.facts, tool)) return
    call.told += 1
    emit({
      type: "runtime.warning",
      ...call.place,
      message: "The agent changed a call after it was allowed. What it did may not be what the request showed.",
      detail:
        call.told > maxTold
          ? "Further changes of this call are not listed."
          : RequestFacts.tellChanges(before, call.facts)
    })
  }

  return {
    add: ({ now, place, request }, facts) => {
      calls.push({ place, now, facts, tool: request.tool, told: 0 })
      if (calls.length > maxCalls) calls.shift()
    },
    compare: () => {
      for (const call of calls) compareOne(call)
    }
  }
}

/** Many agents tell what an edit did to the files that were named only when it is done: that is its result. */
const isItsResult = (
  before: RequestFacts.RequestFacts,
  { diffs, input, kind }: RequestFacts.RequestFacts,
  tool: ToolCall
): boolean => {
  const named = new Set(before.paths.map(({ path }) => path))
  return (
    kind === "edit" &&
    kind === before.kind &&
    input === before.input &&
    before.diffs.length === 0 &&
    ToolProjection.hasEnded(tool.status) &&
    diffs.every(({ path }) => named.has(path))
  )
}
