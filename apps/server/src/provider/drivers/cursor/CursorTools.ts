/** What is peculiar to Cursor's tool calls: titles that say nothing, leaked diff headers, to-dos and sub-agents in their input. */
import type { PlanEntry } from "@signalbox/contracts/AgentRequest"
import type { FileDiff, ToolCall, ToolSubject } from "@signalbox/contracts/ToolCall"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import type { SubagentUpdate, ToolReport } from "../../acp/profile/AgentProfile.ts"
import * as Subagent from "./Subagent.ts"
import * as Todos from "./Todos.ts"

/** What Cursor calls a tool before it knows, or without ever saying, what the call is about. */
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

/** `MCP: tool` leaves out the server, which a later title names. */
export const isGenericTitle = (title: string): boolean => genericTitles.has(title.trim()) || title.startsWith("MCP: ")

export const tidy = (tool: ToolCall): ToolCall => {
  const diffs = tool.diffs.some(hasHeader) ? tool.diffs.map(withoutHeader) : tool.diffs
  const subject = withAgent(tool)
  return diffs === tool.diffs && subject === tool.subject ? tool : { ...tool, diffs, subject }
}

/** The first lines of a unified diff, one character short. They stand in place of "there was no file" and before the text of a new one. */
const noFile = "-- /dev/null"
const newFile = /^\+\+ b\/[^\n]*(?:\n|$)/

const hasHeader = ({ oldText }: FileDiff): boolean => oldText?.trimEnd() === noFile

const withoutHeader = (diff: FileDiff): FileDiff =>
  hasHeader(diff) ? { path: diff.path, oldText: null, newText: diff.newText.replace(newFile, "") } : diff

/** The input of a call, if it is one that names itself: parsed only then, since this runs for every change of every call. */
const ownInput = ({ rawInput }: ToolCall): { readonly [key: PropertyKey]: unknown } | undefined => {
  if (rawInput === undefined || !rawInput.includes('"_toolName"')) return undefined
  return parseObject(rawInput)
}

const parseObject = (json: string): { readonly [key: PropertyKey]: unknown } | undefined => {
  const value = Result.try((): unknown => JSON.parse(json))
  return Result.isSuccess(value) && Predicate.isObject(value.success) ? value.success : undefined
}

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined)

/** A sub-agent's type may be an object, which only Cursor's own methods know how to read. */
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
 * The list grows item by item while the call is under way, so only a completed one counts. Whether it is the whole list the
 * call does not say, unless with `merge`: a list of which the plan knows any item changes the plan, another replaces it. The
 * `cursor/update_todos` request that most builds send next has the last word.
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
