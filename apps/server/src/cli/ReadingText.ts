/**
 * What an approval lets happen, line by line and never cut short: it is what the answer is about. The page shows the same reading.
 */
import { diffModel } from "@signalbox/contracts/DiffModel"
import type { FileDiff, ToolCall } from "@signalbox/contracts/ToolCall"
import { readTool, type ToolReading } from "@signalbox/contracts/ToolReading"
import { revealed, revealedLine } from "../Plain.ts"
import { rowLine } from "./DiffText.ts"
import type { Styled } from "./Ink.ts"
import { verbOf } from "./ToolText.ts"

type Lines = ReadonlyArray<string | Styled>

export const readingLines = (tool: ToolCall, cwd: string): Lines => {
  const reading = readTool(tool, cwd)
  const { alsoNames, diffs, facts, gaps, subject, unlisted, unread, words } = reading
  return [
    ...subjectLines(tool, reading).map((line) => `    ${line}`),
    ...facts.map(({ name, value }) => `    ${revealedLine(name)}: ${below(value)}`),
    ...(subject.type === "command" ? [`    starts in: ${startOf(subject.cwd, cwd)}`] : []),
    ...diffs.flatMap(diffLines),
    ...alsoNames.map((path) => `    also names: ${revealedLine(path)}`),
    ...gaps.map((reason): Styled => ({ style: "error", text: `  can't be inspected: ${reason}` })),
    ...unread.map(
      ({ name, value }) => `    as it was sent: ${revealedLine(name)}${name === "" ? "" : " = "}${revealedLine(value)}`
    ),
    ...(unlisted > 0 ? [`    ${unlisted} more parts are not listed. An answer is bound to all of them.`] : []),
    ...words.map((text) => `  agent says: ${revealedLine(text, 400)}`)
  ]
}

const startOf = (folder: string | undefined, cwd: string): string =>
  folder === undefined ? `${revealedLine(cwd)}; the request names no folder` : revealedLine(folder)

const subjectLines = (tool: ToolCall, { diffs, subject }: ToolReading): ReadonlyArray<string> => {
  switch (subject.type) {
    case "command":
      return revealed(subject.command).split("\n")
    case "file":
      return diffs.length > 0 ? [] : [`${verbOf(tool.kind)} ${revealedLine(subject.path)}`]
    case "search":
      return [
        `Search ${revealedLine(subject.pattern)}${subject.path === undefined ? "" : ` in ${revealedLine(subject.path)}`}`
      ]
    case "url":
      return [`Fetch ${revealedLine(subject.url)}`]
    case "mcp":
      return [
        `${revealedLine(subject.server)}: ${revealedLine(subject.tool)}`,
        ...(subject.args === undefined ? [] : [revealedLine(subject.args)])
      ]
    case "task":
      return [
        `Sub-agent${subject.agent === undefined ? "" : ` ${revealedLine(subject.agent)}`} is told:`,
        ...revealed(subject.prompt ?? subject.description).split("\n")
      ]
    case "none":
      return tool.rawInput === undefined ? [] : [revealedLine(tool.rawInput)]
  }
}

/** A value of several lines stands below its name. */
const below = (value: string): string => revealed(value).replaceAll("\n", "\n      ")

const diffLines = (diff: FileDiff): Lines => {
  const { added, removed, rows } = diffModel(diff)
  return [
    `    change ${revealedLine(diff.path)}${diff.oldText === null ? ", a new file" : ""} · +${added} −${removed}`,
    ...rows.map((row) => rowLine(row, codeLine))
  ]
}

/** Code is indented by tabs, which hide nothing there. */
const codeLine = (text: string): string =>
  text
    .split("\t")
    .map((part) => revealedLine(part))
    .join("\t")
