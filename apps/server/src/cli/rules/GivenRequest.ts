/** A request in a JSON file, to be judged by rules: a tool call as an agent sends it, or only the members that matter. */
import { compact, isRecord, type JsonObject, parsedJson } from "@signalbox/contracts/Json"
import { Timestamp } from "@signalbox/contracts/Ids"
import { type FileDiff, type ToolCall, ToolKind, type ToolLocation } from "@signalbox/contracts/ToolCall"
import { readInput } from "@signalbox/contracts/ToolInput"
import * as Result from "effect/Result"

/** The members of a call beside its input. */
const around: ReadonlySet<string> = new Set([
  "_meta",
  "content",
  "kind",
  "locations",
  "name",
  "sessionUpdate",
  "status",
  "title",
  "toolCallId"
])

/** Fails with a sentence. */
export const of = (text: string): Result.Result<ToolCall, string> => {
  const parsed = parsedJson(text.replace(/^\uFEFF/, ""))
  if (parsed === undefined) return Result.fail("The request is not JSON, or is nested too deep.")
  if (!isRecord(parsed.value)) return Result.fail("The request is not a JSON object.")
  return Result.succeed(callOf(innermost(parsed.value)))
}

/** The call in the message of an agent: its parameters, or the whole message. */
const innermost = (value: JsonObject): JsonObject => {
  const params = isRecord(value["params"]) ? value["params"] : value
  return isRecord(params["toolCall"]) ? params["toolCall"] : params
}

const callOf = (call: JsonObject): ToolCall => {
  const input = "rawInput" in call ? call["rawInput"] : inputOf(call)
  const kind = ToolKind.literals.find((known) => known === call["kind"]) ?? "other"
  const locations = listOf(call["locations"]).flatMap(locationOf)
  return {
    toolCallId: "",
    title: "",
    status: "pending",
    kind,
    subject: readInput(kind, input, locations).subject,
    diffs: listOf(call["content"]).flatMap(diffOf),
    content: [],
    locations,
    rawInput: compact(input),
    startedAt: Timestamp.make(0)
  }
}

const inputOf = (call: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(call).filter(([name]) => !around.has(name)))

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

const locationOf = (value: unknown): ReadonlyArray<ToolLocation> =>
  isRecord(value) && typeof value["path"] === "string" ? [{ path: value["path"] }] : []

const diffOf = (value: unknown): ReadonlyArray<FileDiff> =>
  isRecord(value) && value["type"] === "diff" && typeof value["path"] === "string"
    ? [{ path: value["path"], oldText: null, newText: "" }]
    : []
