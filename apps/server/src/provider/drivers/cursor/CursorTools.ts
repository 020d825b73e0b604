/** Corrects Cursor's tool calls: empty titles, leaked diff headers, and to-dos and sub-agents in their input. */
import type { PlanEntry } from "@signalbox/contracts/AgentRequest"
import type { FileDiff, ToolCall, ToolSubject } from "@signalbox/contracts/ToolCall"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import type { SubagentUpdate, ToolReport } from "../../acp/profile/AgentProfile.ts"
import * as Subagent from "./Subagent.ts"
import * as Todos from "./Todos.ts"

/** Cursor's titles for calls whose subject it does not name. */
const genericTitles: ReadonlySet<string> = new Set([
  "",
  "Terminal",
  "Read File",
  "Edit File",
  "Delete File",
  "grep",
  "Find",
  "Codebase Search",
  "Web Search",
  "Web Fetch",
  "Update TODOs",
  "Task: Subagent task",
  "Create Plan",
  "Generate Image",
  "Fetch MCP Resource"
])

/** Whether a title is generic. `MCP: tool` lacks the server, which a later title names. */
export const isGenericTitle = (title: string): boolean => genericTitles.has(title.trim()) || title.startsWith("MCP: ")

export const tidy = (tool: ToolCall): ToolCall => {
  const diffs = tool.diffs.some(hasHeader) ? tool.diffs.map(withoutHeader) : tool.diffs
  const subject = withAgent(tool)
  return diffs === tool.diffs && subject === tool.subject ? tool : { ...tool, diffs, subject }
}

/**
 * The lines of a leaked diff header, without their first character. One replaces a missing old text; the other precedes
 * a new file's text.
 */
const noFile = "-- /dev/null"
const newFile = /^\+\+ b\/[^\n]*(?:\n|$)/

const hasHeader = ({ oldText }: FileDiff): boolean => oldText?.trimEnd() === noFile

const withoutHeader = (diff: FileDiff): FileDiff =>
  hasHeader(diff) ? { path: diff.path, oldText: null, newText: diff.newText.replace(newFile, "") } : diff

/** The input of a call that names its tool. It is parsed only then, since this runs for every change of every call. */
const ownInput = ({ rawInput }: ToolCall): { readonly [key: PropertyKey]: unknown } | undefined => {
  if (rawInput === undefined || !rawInput.includes('"_toolName"')) return undefined
  return parseObject(rawInput)
}

const parseObject = (json: string): { readonly [key: PropertyKey]: unknown } | undefined => {
  const value = Result.try((): unknown => JSON.parse(json))
  return Result.isSuccess(value) && Predicate.isObject(value.success) ? value.success : undefined
}

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined)

/** The subject with the sub-agent's name. Its type may be an object that only Cursor's methods use. */
const withAgent = (tool: ToolCall): ToolSubject => {
  const { subject } = tool
  if (subject.type !== "task" || subject.agent !== undefined) return subject
  const type = ownInput(tool)?.["subagentType"]
  return type === undefined ? subject : { ...subject, agent: Subagent.nameOf(type) }
}

const taskOf = (tool: ToolCall, input: { readonly [key: PropertyKey]: unknown }): string | undefined =>
  text(input["description"]) ?? (isGenericTitle(tool.title) ? undefined : text(tool.title.replace(/^Task: /, "")))

export const report = (tool: ToolCall, plan: ReadonlyArray<PlanEntry>): ToolReport | undefined => {
  const input = ownInput(tool)
  switch (input?.["_toolName"]) {
    case "updateTodos":
      return todosIn(tool, input, plan)
    case "task":
      return { subagent: subagentIn(tool, input) }
    default:
      return undefined
  }
}

/**
 * The plan in a completed call; before its end the list is incomplete. Without `merge`, the call does not show whether
 * its list is complete. A list with a known item changes the plan, and any other list replaces it. Most builds then
 * send `cursor/update_todos`, which has priority.
 */
const todosIn = (
  tool: ToolCall,
  input: { readonly [key: PropertyKey]: unknown },
  plan: ReadonlyArray<PlanEntry>
): ToolReport | undefined => {
  if (tool.status !== "completed") return undefined
  const todos = Todos.readTodos(input["todos"])
  if (todos === undefined || todos.length === 0) return undefined
  const merge = typeof input["merge"] === "boolean" ? input["merge"] : Todos.concerns(plan, todos)
  const entries = merge ? Todos.merging(plan, todos) : Todos.replacing(plan, todos)
  return Todos.samePlan(plan, entries) ? undefined : { plan: entries }
}

const subagentIn = (tool: ToolCall, input: { readonly [key: PropertyKey]: unknown }): SubagentUpdate => {
  const result = (tool.rawOutput === undefined ? undefined : parseObject(tool.rawOutput)) ?? {}
  const background = result["isBackground"] === true
  const durationMs = result["durationMs"]
  const task = taskOf(tool, input) ?? text(input["prompt"])
  return {
    id: tool.toolCallId,
    name: Subagent.nameOf(input["subagentType"]),
    ...(task !== undefined && { task }),
    state: background ? "background" : stateOf(tool.status),
    ...(typeof durationMs === "number" && !background && { durationMs })
  }
}

const stateOf = (status: ToolCall["status"]): SubagentUpdate["state"] => {
  switch (status) {
    case "pending":
    case "in_progress":
      return "running"
    case "completed":
      return "completed"
    case "cancelled":
    case "rejected":
      return "cancelled"
    case "failed":
    case "unfinished":
      return "failed"
  }
}
