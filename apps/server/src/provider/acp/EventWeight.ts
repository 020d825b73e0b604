/** What events weigh in memory, roughly, in characters: enough to keep what waits and what is remembered within bounds. */
import type { ProviderRuntimeEvent } from "@signalbox/contracts/ProviderRuntimeEvent"
import type { ToolCall } from "@signalbox/contracts/ToolCall"

/** Beside its texts. */
const base = 256

export const weightOf = (events: ReadonlyArray<ProviderRuntimeEvent>): number => {
  let weight = 0
  for (const event of events) weight += base + textOf(event)
  return weight
}

const textOf = (event: ProviderRuntimeEvent): number => {
  if ("text" in event) return event.text.length
  if ("tool" in event) return toolOf(event.tool)
  if ("raw" in event) return event.raw.length
  return "content" in event && "data" in event.content ? event.content.data.length : 0
}

const toolOf = ({ content, diffs, rawInput, rawOutput }: ToolCall): number => {
  // Input and output are there twice: as the agent sent them, and read.
  let weight = 2 * base + 2 * (rawInput?.length ?? 0) + 2 * (rawOutput?.length ?? 0)
  for (const { newText, oldText } of diffs) weight += newText.length + (oldText?.length ?? 0)
  for (const part of content) if (part.type === "text") weight += part.text.length
  return weight
}
