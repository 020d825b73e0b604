/** A tool call in words: what it does on one line, then its result with its changes and its output. */
import { diffModel, diffSize } from "@signalbox/contracts/DiffModel"
import { largeDiff } from "@signalbox/contracts/LineChanges"
import { lastLines, settleLines } from "@signalbox/contracts/OutputLines"
import { resolvePath, shownPath } from "@signalbox/contracts/Paths"
import { exitCodeOf, type FileDiff, signalOf, type ToolCall, type ToolStatus } from "@signalbox/contracts/ToolCall"
import { oneLine, plain } from "../../base/Plain.ts"
import { countText } from "./Amount.ts"
import { compact, rowLine } from "./DiffText.ts"
import type { Styled } from "./Ink.ts"
import * as WalkthroughText from "./WalkthroughText.ts"

/** What a tool call does. Its input is preferred to the agent's title if both are known. */
export const toolText = (tool: ToolCall): string => {
  const { subject } = tool
  switch (subject.type) {
    case "command":
      return `$ ${oneLine(subject.command, 400)}`
    case "file":
      return `${verbOf(tool.kind)} ${oneLine(subject.path)}`
    case "search":
      return `Search ${oneLine(subject.pattern, 80)}${subject.path === undefined ? "" : ` in ${oneLine(subject.path, 80)}`}`
    case "url":
      return `Fetch ${oneLine(subject.url)}`
    case "mcp":
      return `${oneLine(subject.server, 40)}: ${oneLine(subject.tool, 80)}`
    case "task":
      return `Task: ${oneLine(subject.description, 120)}`
    case "none":
      return oneLine(tool.title)
  }
}

/** The words of a tool call behind "Wanted to" (0) or "Was" (1). */
const actText = (tool: ToolCall, form: 0 | 1): string => {
  const text = toolText(tool)
  switch (tool.subject.type) {
    case "command":
      return `${["run", "running"][form]} ${text}`
    case "mcp":
      return `${["use", "using"][form]} ${text}`
    case "file":
    case "search":
    case "url": {
      const [verb = "", ...rest] = text.split(" ")
      return [acts[verb]?.[form] ?? verb.toLowerCase(), ...rest].join(" ")
    }
    case "task":
    case "none":
      return `${["do this:", "at this:"][form]} ${text}`
  }
}

const acts: Readonly<Record<string, readonly [string, string]>> = {
  Read: ["read", "reading"],
  Edit: ["edit", "editing"],
  Delete: ["delete", "deleting"],
  Move: ["move", "moving"],
  Search: ["search", "searching"],
  Fetch: ["fetch", "fetching"],
  Use: ["use", "using"]
}

export const verbOf = (kind: ToolCall["kind"]): string => verbs[kind] ?? "Use"

const verbs: Partial<Record<ToolCall["kind"], string>> = {
  read: "Read",
  edit: "Edit",
  delete: "Delete",
  move: "Move",
  search: "Search"
}

/**
 * A call that has ended, line by line. A call that was rejected, or still open at the end of its turn, is not shown as
 * done. `cwd`: the session's folder, if it is known. A command in another folder shows that folder.
 */
export const toolReport = (tool: ToolCall, cwd?: string): ReadonlyArray<string | Styled> => {
  switch (tool.status) {
    case "rejected":
      return [
        `✗ ${[`Wanted to ${actText(tool, 0)}`, words.rejected, ...notesOf(tool, cwd)].join(" · ")}`,
        ...outputLines(tool)
      ]
    case "cancelled":
    case "unfinished":
      return [
        `✗ ${[`Was ${actText(tool, 1)}`, words[tool.status], ...notesOf(tool, cwd)].join(" · ")}`,
        ...outputLines(tool)
      ]
    case "failed":
      return [
        { style: "error", text: `✗ ${[toolText(tool), words.failed, ...notesOf(tool, cwd)].join(" · ")}` },
        ...outputLines(tool)
      ]
    case "pending":
    case "in_progress":
    case "completed":
      return [
        `${tool.status === "completed" ? "✓" : "…"} ${[toolText(tool), ...changesOf(tool), ...notesOf(tool, cwd)].join(" · ")}`,
        ...diffLines(tool.diffs),
        ...outputLines(tool),
        ...(tool.walkthrough === undefined ? [] : WalkthroughText.lines(tool.walkthrough))
      ]
  }
}

const words: Readonly<Record<Exclude<ToolStatus, "pending" | "in_progress" | "completed">, string>> = {
  failed: "failed",
  rejected: "rejected",
  cancelled: "cancelled",
  unfinished: "ended"
}

const notesOf = (tool: ToolCall, cwd: string | undefined): ReadonlyArray<string> => {
  const folder = folderOf(tool)
  const exitCode = exitCodeOf(tool)
  const signal = signalOf(tool)
  const error = tool.result?.error
  return [
    ...(cwd === undefined || folder === undefined || resolvePath(folder, cwd) === resolvePath(cwd, cwd)
      ? []
      : [`in ${oneLine(shownPath(folder, cwd))}`]),
    ...(exitCode === undefined ? [] : [`exit ${exitCode}`]),
    ...(signal === undefined ? [] : [`ended by ${oneLine(signal, 40)}`]),
    ...(error === undefined ? [] : [oneLine(error, 240)])
  ]
}

const folderOf = ({ subject, terminals = [] }: ToolCall): string | undefined =>
  (subject.type === "command" ? subject.cwd : undefined) ?? terminals.at(-1)?.cwd

/** The number of changed lines if the call changed one file. With several files, each diff shows its own. */
const changesOf = ({ diffs }: ToolCall): ReadonlyArray<string> => {
  const [only, ...others] = diffs
  return only === undefined || others.length > 0 ? [] : [amountOf(only)]
}

const amountOf = (diff: FileDiff): string => {
  if (diffSize(diff) > largeDiff) return `${diffSize(diff)} characters, too many to compare here`
  const { added, removed } = diffModel(diff)
  return `${diff.oldText === null ? "new file, " : ""}+${added} −${removed}`
}

/** The most lines of diffs that one call shows. */
const maxRows = 24
const longest = 300

const diffLines = (diffs: ReadonlyArray<FileDiff>): ReadonlyArray<string | Styled> => {
  const lines: Array<string | Styled> = []
  let room = maxRows
  let left = 0
  for (const diff of diffs) {
    if (diffs.length > 1) lines.push(`    ${oneLine(diff.path)} · ${amountOf(diff)}`)
    if (diffSize(diff) > largeDiff) continue
    for (const row of compact(diffModel(diff).rows)) {
      if (room > 0) lines.push(rowLine(row, codeLine))
      else if (row.type === "add" || row.type === "del") left++
      room--
    }
  }
  return left === 0 ? lines : [...lines, `    … and ${countText(left, "more changed line", "more changed lines")}`]
}

const codeLine = (text: string): string => (text.length <= longest ? text : `${text.slice(0, longest - 1)}…`)

/** The lines of output that are shown: most commands print their result at the end. */
const lastOfOutput = 8

/** The output of a command. The output of other calls is of use to the agent only. */
const outputLines = (tool: ToolCall): ReadonlyArray<string> => {
  if (tool.subject.type !== "command" && tool.terminals === undefined) return []
  const { shown, text, total } = lastLines(outputOf(tool), lastOfOutput)
  if (total === 0) return []
  const lines = settleLines(text)
    .split("\n")
    .map((line) => `    │ ${codeLine(plain(line))}`)
  return shown === total ? lines : [`    ${shown} of ${total} lines`, ...lines]
}

const outputOf = ({ content, result, terminals = [] }: ToolCall): string => {
  const streams = [result?.stdout, result?.stderr].filter((text) => text !== undefined && text !== "")
  if (streams.length > 0) return streams.map((text) => (text?.endsWith("\n") ? text : `${text}\n`)).join("")
  if (result?.text !== undefined && result.text !== "") return result.text
  const printed = terminals.map(({ output }) => output).join("")
  if (printed !== "") return printed
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n")
}
