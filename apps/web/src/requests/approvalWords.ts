/** What an approval is about, in our words. Nothing of what the agent says is quoted here: titles must not be a way to fool people. */
import type { ApprovalOption } from "@signalbox/contracts/AgentRequest"
import { inText, revealAll } from "@signalbox/contracts/Invisible"
import type { ToolCall } from "@signalbox/contracts/ToolCall"
import { inputOf } from "@signalbox/contracts/ToolReading"
import { count } from "../words/figures.ts"
import { readCommand } from "./command.ts"

/** "Cursor wants to run a command in 3 parts". `agent` is the name that Signalbox gives it. */
export const approvalTitle = (agent: string, tool: ToolCall): string => `${agent} wants to ${approvalWish(tool)}`

/** What the agent wants to do, such as "run a command in 3 parts". */
export const approvalWish = (tool: ToolCall): string => {
  const { diffs, kind, locations } = tool
  const { subject } = inputOf(tool)
  const files = new Set(diffs.map(({ path }) => path)).size
  switch (subject.type) {
    case "command": {
      const parts = readCommand(subject.command).parts.length
      return parts > 1 ? `run a command in ${parts} parts` : "run a command"
    }
    case "url":
      return "fetch a web address"
    case "mcp":
      return "use a tool of an MCP server"
    case "task":
      return "start a sub-agent"
    case "search":
      return "search"
    case "file":
      return files > 1 ? `change ${count(files, "file")}` : fileWish(kind, diffs)
    case "none":
      if (files > 0) return files > 1 ? `change ${count(files, "file")}` : fileWish("edit", diffs)
      return locations.length > 0 && kind !== "other" && kind !== "execute"
        ? fileWish(kind, diffs)
        : "do something that it does not describe"
  }
}

const fileWish = (kind: ToolCall["kind"], diffs: ToolCall["diffs"]): string => {
  if (kind === "delete") return "delete a file"
  if (kind === "move") return "move a file"
  if (kind === "read" && diffs.length === 0) return "read a file"
  if (kind === "edit" || diffs.length > 0)
    return diffs.length > 0 && diffs.every(({ oldText }) => oldText === null) ? "create a file" : "change a file"
  return "use a file"
}

/** What taking an option does beyond this request; undefined when nothing, or nothing that is known. */
export const optionEffect = (agent: string, option: ApprovalOption): string | undefined => {
  const { kind } = option
  const name = inText(revealAll(option.name))
  switch (kind) {
    case "allow_always":
      return `“${name}” also writes to ${agent}’s own list, outside Signalbox.`
    case "reject_always":
      return `“${name}” may be remembered by ${agent}, outside Signalbox.`
    case "allow_once":
    case "reject_once":
      return undefined
    default:
      return `“${name}” is of the kind “${inText(revealAll(kind))}”, which Signalbox does not know.`
  }
}
