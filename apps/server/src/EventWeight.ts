/** What events weigh in memory, roughly, in characters: enough to keep what waits and what is remembered within bounds. */
import type { AgentRequest } from "@signalbox/contracts/AgentRequest"
import type { ContentPart, PromptPart } from "@signalbox/contracts/Content"
import type { ThreadEvent } from "@signalbox/contracts/ThreadEvent"
import type { ItemView } from "@signalbox/contracts/ThreadView"
import type { ToolCall } from "@signalbox/contracts/ToolCall"

/** Beside its texts. */
const base = 256

export const weightOf = (events: ReadonlyArray<ThreadEvent>): number => {
  let weight = 0
  for (const event of events) weight += weightOfOne(event)
  return weight
}

export const weightOfOne = (event: ThreadEvent): number => base + textOf(event)

/** What an entry of a transcript weighs as it travels: long texts are in it with their beginning. */
export const weightOfItem = (item: ItemView): number => {
  switch (item.type) {
    case "message":
      return base + item.text.length + contentOf(item.content)
    case "thought":
      return base + item.text.length
    case "tool":
      return base + toolOf(item.tool)
    case "request":
      return base + requestOf(item.request)
    case "prompt":
      return base + promptOf(item.prompt)
    case "compaction":
      return base + (item.summary?.length ?? 0)
    case "unknown":
      return base + item.raw.length
    case "subagent":
    case "file":
    case "problem":
    case "warning":
    case "session":
      return base
  }
}

const textOf = (event: ThreadEvent): number => {
  if ("text" in event) return event.text.length
  if ("tool" in event) return toolOf(event.tool)
  if ("raw" in event) return event.raw.length
  if ("summary" in event) return event.summary?.length ?? 0
  if ("request" in event) return requestOf(event.request)
  if ("prompt" in event) return promptOf(event.prompt)
  return "content" in event && "data" in event.content ? event.content.data.length : 0
}

const promptOf = (prompt: ReadonlyArray<PromptPart>): number => {
  let weight = 0
  for (const part of prompt) {
    weight += base + ("text" in part ? part.text.length : 0) + ("data" in part ? part.data.length : 0)
  }
  return weight
}

const contentOf = (content: ReadonlyArray<ContentPart>): number => {
  let weight = 0
  for (const part of content) {
    weight += base
    if ("text" in part) weight += part.text?.length ?? 0
    if ("data" in part) weight += part.data.length
    if ("raw" in part) weight += part.raw.length
  }
  return weight
}

const requestOf = (request: AgentRequest): number => {
  switch (request.type) {
    case "approval":
      return toolOf(request.tool)
    case "plan":
      return request.plan.length + base * request.entries.length
    case "question":
      return base * request.questions.length
    case "form":
      return request.message.length + base * request.fields.length
    case "url":
      return request.message.length + request.url.length
  }
}

const toolOf = ({ content, diffs, rawInput, rawOutput, result, terminals = [] }: ToolCall): number => {
  // Input is there twice: as the agent sent it, and read.
  let weight = 2 * base + 2 * (rawInput?.length ?? 0) + (rawOutput?.length ?? 0)
  if (result) weight += (result.stdout?.length ?? 0) + (result.stderr?.length ?? 0) + (result.text?.length ?? 0)
  for (const { newText, oldText } of diffs) weight += newText.length + (oldText?.length ?? 0)
  for (const { output } of terminals) weight += base + output.length
  return weight + contentOf(content)
}
