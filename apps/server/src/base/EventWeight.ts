/** The approximate size of events in memory, in characters. Queues and caches keep within their bounds by it. */
import type { AgentRequest } from "@signalbox/contracts/AgentRequest"
import type { LoggedEvent, ThreadEvent } from "@signalbox/contracts/ThreadEvent"
import type { ItemView } from "@signalbox/contracts/ThreadView"
import type { ToolCall } from "@signalbox/contracts/ToolCall"
import { textsIn } from "./TextsIn.ts"

/** Characters that an entry counts for besides its texts. */
const base = 256

export const weightOf = (events: ReadonlyArray<ThreadEvent>): number => {
  let weight = 0
  for (const event of events) weight += weightOfOne(event)
  return weight
}

export const weightOfLogged = (log: ReadonlyArray<LoggedEvent>): number => {
  let weight = 0
  for (const { event } of log) weight += weightOfOne(event)
  return weight
}

/**
 * The size of one event. Many places on the way to clients and disk need it, so the size of a call is computed once.
 */
export const weightOfOne = (event: ThreadEvent): number => {
  if ("text" in event) return base + event.text.length
  const known = weights.get(event)
  if (known !== undefined) return known
  const weight = base + charactersOf(event)
  weights.set(event, weight)
  return weight
}

const weights = new WeakMap<ThreadEvent, number>()

/** The size of an entry of a transcript in a frame, which holds only the beginning of long texts. */
export const weightOfItem = (item: ItemView): number => {
  switch (item.type) {
    case "thought":
      return base + item.text.length
    case "tool":
      return base + toolOf(item.tool)
    case "request":
      return base + requestOf(item.request)
    case "message":
    case "prompt":
    case "compaction":
    case "unknown":
    case "subagent":
    case "file":
    case "problem":
    case "warning":
    case "session":
      return base + charactersIn(item)
  }
}

/** Besides text, nearly all events are tool calls. */
const charactersOf = (event: ThreadEvent): number => {
  if ("tool" in event) return toolOf(event.tool)
  if ("request" in event) return requestOf(event.request)
  return charactersIn(event)
}

const charactersIn = (value: unknown): number => textsIn(value, (text) => text.length)

const requestOf = (request: AgentRequest): number =>
  request.type === "approval" ? charactersIn(request.options) + toolOf(request.tool) : charactersIn(request)

const toolOf = (tool: ToolCall): number => {
  const { rawInput, terminals = [], ...rest } = tool
  // Input is stored twice: as the agent sent it, and as it was read.
  return 2 * base + 2 * (rawInput?.length ?? 0) + base * terminals.length + charactersIn([terminals, rest])
}
