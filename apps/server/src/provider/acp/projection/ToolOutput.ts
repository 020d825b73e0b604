/** Reads a tool call's `rawOutput`. The protocol leaves its form open; these members were seen on the wire. */
import type { ToolResult } from "@signalbox/contracts/ToolCall"
import { type JsonObject, parsedJson } from "@signalbox/contracts/Json"
import * as Predicate from "effect/Predicate"
import { compact, intOf, isEmpty, objectOf, textOf } from "../../../base/Json.ts"

export interface ToolOutcome {
  readonly result: ToolResult | undefined
  /** Whether the agent says that the call was refused. */
  readonly refused: boolean
}

const nothing: ToolOutcome = { result: undefined, refused: false }

export const outcomeOf = (output: unknown): ToolOutcome => {
  if (isEmpty(output)) return nothing
  if (typeof output === "string") {
    const stored = storedResults(output)
    return stored === undefined ? { result: { text: output }, refused: false } : outcomeOfList(stored)
  }
  if (Array.isArray(output)) return outcomeOfList(output)
  const object = objectOf(output)
  // opencode and kilo report a command's exit here.
  const metadata = objectOf(object["metadata"])
  const exitCode = exitCodeOf(object) ?? exitCodeOf(metadata) ?? exitCodeIn(object["contents"])
  const stdout = textOf(object, "stdout")
  const stderr = textOf(object, "stderr")
  const text =
    textOf(object, "content", "output", "text", "result", "aggregated_output", "formatted_output") ??
    textOfBlocks(object["content"])
  const count = intOf(object, "totalMatches", "totalFiles", "totalResults", "count")
  const truncated = object["truncated"] ?? metadata["truncated"]
  const rejected = object["rejected"]
  const denied = object["permissionDenied"]
  const error =
    reasonOf(object["error"], failed) ??
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

const exitCodeOf = (object: JsonObject): number | undefined => intOf(object, "exitCode", "exit_code", "exit")

/** The exit code in copilot's list of parts: the first that is not 0, or else the last. */
const exitCodeIn = (parts: unknown): number | undefined => {
  if (!Array.isArray(parts)) return undefined
  const codes = parts.map((part) => exitCodeOf(objectOf(part))).filter((code) => code !== undefined)
  return codes.find((code) => code !== 0) ?? codes.at(-1)
}

/** Reads a list: blocks of content, or cline's list with one result for each request. */
const outcomeOfList = (list: ReadonlyArray<unknown>): ToolOutcome => {
  const blocks = textOfBlocks(list)
  if (blocks !== undefined) return { result: { text: blocks }, refused: false }
  const results = list.map(objectOf)
  const reasons = results.flatMap((each) =>
    each["success"] === false ? [reasonOf(each["error"], failed) ?? failed] : []
  )
  const exitCode = exitCodeIn(list) ?? reasons.map(exitCodeInWords).find((code) => code !== undefined)
  // A command that exited with a code did run, so this is no error.
  const error = reasons.find((reason) => exitCodeInWords(reason) === undefined)
  const texts = results.map((each) => textOf(each, "result", "output")).filter((text) => text !== undefined)
  const result: ToolResult = {
    ...(exitCode !== undefined && { exitCode }),
    ...(texts.length > 0 && { text: texts.join("\n") }),
    ...(error !== undefined && { error })
  }
  return isEmpty(result) ? nothing : { result, refused: false }
}

/**
 * Reads results that cline's histories hold as text, one JSON object a line. It accepts only cline's exact members,
 * since a command may print JSON, too.
 */
const storedResults = (text: string): ReadonlyArray<unknown> | undefined => {
  if (!text.startsWith('{"query":')) return undefined
  const results: Array<unknown> = []
  for (const line of text.split("\n")) {
    const result = objectOf(parsedJson(line)?.value)
    const isOne = typeof result["query"] === "string" && typeof result["success"] === "boolean"
    if (!isOne || Object.keys(result).some((name) => !resultMembers.has(name))) return undefined
    results.push(result)
  }
  return results
}

const resultMembers: ReadonlySet<string> = new Set(["query", "result", "error", "success"])

const failed = "It failed."

/** The exit code that cline writes at the end of its reason, and nowhere else. */
const exitCodeInWords = (reason: string): number | undefined => {
  const [, code] = /exited with code (\d{1,9})$/.exec(reason.slice(-40)) ?? []
  return code === undefined ? undefined : Number(code)
}

const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== false && value !== ""

/** The text of an error, which may be a text, a flag, or an object that holds the text. */
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
