/** What came of a tool call, from its `rawOutput`. The protocol leaves it open; the members here were seen on the wire. */
import type { ToolResult } from "@signalbox/contracts/ToolCall"
import * as Predicate from "effect/Predicate"
import { compact, intOf, isEmpty, objectOf, textOf } from "./Json.ts"

export interface ToolOutcome {
  readonly result: ToolResult | undefined
  /** The agent says that somebody or something refused it. */
  readonly refused: boolean
}

const nothing: ToolOutcome = { result: undefined, refused: false }

export const outcomeOf = (output: unknown): ToolOutcome => {
  if (isEmpty(output)) return nothing
  if (typeof output === "string") return { result: { text: output }, refused: false }
  if (Array.isArray(output)) {
    const text = textOfBlocks(output)
    return text === undefined ? nothing : { result: { text }, refused: false }
  }
  const object = objectOf(output)
  const exitCode = intOf(object, "exitCode", "exit_code")
  const stdout = textOf(object, "stdout")
  const stderr = textOf(object, "stderr")
  const text =
    textOf(object, "content", "output", "text", "result", "aggregated_output", "formatted_output") ??
    textOfBlocks(object["content"])
  const count = intOf(object, "totalMatches", "totalFiles", "totalResults", "count")
  const truncated = object["truncated"]
  const rejected = object["rejected"]
  const denied = object["permissionDenied"]
  const error =
    reasonOf(object["error"], "It failed.") ??
    reasonOf(rejected, "It was rejected.") ??
    reasonOf(denied, "Permission was denied.")
  const result: ToolResult = {
    ...(exitCode !== undefined && { exitCode }),
    ...(stdout !== undefined && { stdout }),
    ...(stderr !== undefined && { stderr }),
    ...(text !== undefined && { text }),
    ...(count !== undefined && { count }),
    ...(typeof truncated === "boolean" && { truncated }),
    ...(error !== undefined && { error })
  }
  return { result: isEmpty(result) ? undefined : result, refused: isSet(rejected) }
}

const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== false && value !== ""

/** An error may be a text, a flag, or an object that holds the text somewhere. */
const reasonOf = (value: unknown, fallback: string): string | undefined => {
  if (!isSet(value)) return undefined
  if (typeof value === "string") return value
  if (!Predicate.isObject(value)) return fallback
  const text = textOf(objectOf(value), "message", "error", "errorMessage", "reason", "details")
  return text ?? (isEmpty(value) ? fallback : compact(value))
}

const textOfBlocks = (blocks: unknown): string | undefined => {
  if (!Array.isArray(blocks)) return undefined
  const texts = blocks.map((block) => textOf(objectOf(block), "text")).filter((text) => text !== undefined)
  return texts.length === 0 ? undefined : texts.join("\n")
}
