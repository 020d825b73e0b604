/** The progress of a run, derived from its events. */
import type { AgentRequest } from "@signalbox/contracts/AgentRequest"
import type { RequestId } from "@signalbox/contracts/Ids"
import type { ProviderRuntimeEvent } from "@signalbox/contracts/ProviderRuntimeEvent"
import type { ToolCall } from "@signalbox/contracts/ToolCall"
import { toolText } from "./ToolText.ts"
import { oneLine } from "../../base/Plain.ts"

export interface Progress {
  /** Must be called with every event, in order. */
  readonly see: (event: ProviderRuntimeEvent) => void
  /** Whether the agent has the prompt. */
  readonly prompted: () => boolean
  /** What the run is waiting for now, as a sentence. */
  readonly waitsFor: () => string
}

export const make = (): Progress => {
  let started = false
  let prompted = false
  let speaks: "not yet" | "thought" | "answer" = "not yet"
  const requests = new Map<RequestId, AgentRequest>()
  const tools = new Map<string, ToolCall>()

  return {
    see: (event) => {
      if (event.type === "session.started") started = true
      else if (event.type === "turn.started") prompted = true
      else if (event.type === "thought.delta") speaks = "thought"
      else if (event.type === "message.delta") speaks = "answer"
      else if (event.type === "tool.started" || event.type === "tool.updated")
        tools.set(event.tool.toolCallId, event.tool)
      else if (event.type === "tool.completed") tools.delete(event.tool.toolCallId)
      else if ("request" in event) requests.set(event.request.requestId, event.request)
      else if ("requestId" in event) requests.delete(event.requestId)
    },
    prompted: () => prompted,
    waitsFor: () => {
      const request = last(requests)
      if (request !== undefined) return asked(request)
      if (!started) return "The agent had not started yet."
      if (!prompted) return "The agent had started, and did not have the prompt yet."
      const tool = last(tools)
      if (tool !== undefined) return `The agent had not ended a tool call: ${toolText(tool)}`
      return speech[speaks]
    }
  }
}

const last = <Value>(map: ReadonlyMap<unknown, Value>): Value | undefined => [...map.values()].at(-1)

const asked = (request: AgentRequest): string => {
  switch (request.type) {
    case "approval":
      return `The agent was waiting for a permission: ${toolText(request.tool)}`
    case "question":
      return `The agent was waiting for the answer to a question: ${oneLine(request.questions[0]?.prompt ?? "")}`
    case "plan":
      return "The agent was waiting for its plan to be accepted or rejected."
    case "form":
      return `The agent was waiting for a form to be filled in: ${oneLine(request.message)}`
    case "url":
      return `The agent was waiting for an address to be opened: ${oneLine(request.url)}`
  }
}

const speech = {
  "not yet": "The agent had the prompt, and had not begun to answer.",
  thought: "The agent was thinking, and had not ended its answer.",
  answer: "The agent had not ended its answer."
} as const
