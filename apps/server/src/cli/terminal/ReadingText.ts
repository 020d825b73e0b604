/**
 * What an approval permits, line by line and never cut: the person decides about exactly this. The page shows the same
 * reading.
 */
import type { AgentRequest } from "@signalbox/contracts/AgentRequest"
import { diffModel } from "@signalbox/contracts/DiffModel"
import { placeOf } from "@signalbox/contracts/Paths"
import type { FileDiff, ToolCall } from "@signalbox/contracts/ToolCall"
import { readTool, type ToolReading } from "@signalbox/contracts/ToolReading"
import { revealed, revealedLine } from "../../base/Plain.ts"
import { countText } from "./Amount.ts"
import { rowLine } from "./DiffText.ts"
import type { Styled } from "./Ink.ts"
import { verbOf } from "./ToolText.ts"

type Lines = ReadonlyArray<string | Styled>

type Approval = Extract<AgentRequest, { readonly type: "approval" }>

/** Who asks: the agent, or a component of the chain in front of it. */
export const askerOf = ({ byComponent }: Pick<Approval, "byComponent">): "agent" | "component" =>
  byComponent === true ? "component" : "agent"

export const readingLines = ({ tool, ...request }: Pick<Approval, "tool" | "byComponent">, cwd: string): Lines => {
  const reading = readTool(tool, cwd)
  const { alsoNames, diffs, facts, gaps, subject, unlisted, unread, words } = reading
  return [
    ...subjectLines(tool, reading, cwd),
    ...facts.map(({ is, name, value }) =>
      is === "path" ? placeLine(`${revealedLine(name)}: `, value, cwd) : `    ${revealedLine(name)}: ${below(value)}`
    ),
    ...(subject.type === "command" ? [startLine(subject.cwd, cwd)] : []),
    ...diffs.flatMap((diff) => diffLines(diff, cwd)),
    ...alsoNames.map((path) => placeLine("also names: ", path, cwd)),
    ...gaps.map((reason): Styled => ({ style: "error", text: `  can't be inspected: ${reason}` })),
    ...unread.map(
      ({ name, value }) => `    as it was sent: ${revealedLine(name)}${name === "" ? "" : " = "}${revealedLine(value)}`
    ),
    ...(unlisted > 0
      ? [`    ${countText(unlisted, "more part is", "more parts are")} not listed. An answer is bound to all of them.`]
      : []),
    ...words.map((text) => `  ${askerOf(request)} says: ${revealedLine(text, 400)}`)
  ]
}

const startLine = (folder: string | undefined, cwd: string): string | Styled =>
  folder === undefined
    ? `    starts in: ${revealedLine(cwd)}; the request names no folder`
    : placeLine("starts in: ", folder, cwd)

/**
 * A line with a path. It is marked if the text of the path leads out of the project, or may. The page marks the same
 * lines.
 */
const placeLine = (before: string, path: string, cwd: string, after = ""): string | Styled => {
  const { mark, resolved } = placeOf(path, cwd)
  const is = resolved === undefined ? "" : `, is ${revealedLine(resolved)}`
  const line = `    ${before}${revealedLine(path)}${is}`
  return mark === undefined ? `${line}${after}` : { style: "warning", text: `${line} · ${mark}${after}` }
}

const subjectLines = (tool: ToolCall, { diffs, subject }: ToolReading, cwd: string): Lines => {
  switch (subject.type) {
    case "command":
      return indented(revealed(subject.command).split("\n"))
    case "file":
      return diffs.length > 0 ? [] : [placeLine(`${verbOf(tool.kind)} `, subject.path, cwd)]
    case "search": {
      const pattern = `Search ${revealedLine(subject.pattern)}`
      return subject.path === undefined ? indented([pattern]) : [placeLine(`${pattern} in `, subject.path, cwd)]
    }
    case "url":
      return indented([`Fetch ${revealedLine(subject.url)}`])
    case "mcp":
      return indented([
        `${revealedLine(subject.server)}: ${revealedLine(subject.tool)}`,
        ...(subject.args === undefined ? [] : [revealedLine(subject.args)])
      ])
    case "task":
      return indented([
        `Sub-agent${subject.agent === undefined ? "" : ` ${revealedLine(subject.agent)}`} gets this prompt:`,
        ...revealed(subject.prompt ?? subject.description).split("\n")
      ])
    case "none":
      return tool.rawInput === undefined ? [] : indented([revealedLine(tool.rawInput)])
  }
}

const indented = (lines: ReadonlyArray<string>): Lines => lines.map((line) => `    ${line}`)

/** A value of several lines stands below its name. */
const below = (value: string): string => revealed(value).replaceAll("\n", "\n      ")

const diffLines = (diff: FileDiff, cwd: string): Lines => {
  const { added, removed, rows } = diffModel(diff)
  return [
    placeLine("change ", diff.path, cwd, `${diff.oldText === null ? " · new file" : ""} · +${added} −${removed}`),
    ...rows.map((row) => rowLine(row, codeLine))
  ]
}

/** Tabs are not shown as glyphs in code: they indent it and hide nothing. */
const codeLine = (text: string): string =>
  text
    .split("\t")
    .map((part) => revealedLine(part))
    .join("\t")
