/**
 * Prints a request that nobody has to answer here. A flag or a rule answered it, or a person when the tape was
 * recorded.
 */
import type { AgentRequest } from "@signalbox/contracts/AgentRequest"
import { changedWords } from "@signalbox/contracts/ApprovalWords"
import { readTool, type ToolReading } from "@signalbox/contracts/ToolReading"
import { oneLine, revealedLine } from "../../base/Plain.ts"
import type { Styled } from "./Ink.ts"
import { askerOf, readingLines } from "./ReadingText.ts"
import { toolText } from "./ToolText.ts"

/**
 * A request on one line. If an approval permits more than this line says, all of it stands below. `cwd`: the folder
 * that the agent works in.
 */
export const requestText = (request: AgentRequest, cwd: string): ReadonlyArray<string | Styled> => {
  switch (request.type) {
    case "approval": {
      const change = request.revision ? [`changed its request: ${changedWords(request.changed ?? [])}`] : []
      return [...change, ...approvalLines(request, cwd)]
    }
    case "question":
      return [`asks: ${oneLine(request.questions.map(({ prompt }) => prompt).join(" / "))}`]
    case "plan":
      return [`proposes a plan: ${oneLine(request.name ?? request.overview ?? request.plan, 100)}`]
    case "form":
      return [
        `asks for ${request.fields.map(({ label, name }) => oneLine(label ?? name, 40)).join(", ")}: ${oneLine(request.message)}`
      ]
    case "url":
      return [`asks to open ${oneLine(request.url, 400)}: ${oneLine(request.message)}`]
  }
}

type Approval = Extract<AgentRequest, { readonly type: "approval" }>

const approvalLines = (request: Approval, cwd: string): ReadonlyArray<string | Styled> => {
  const { tool } = request
  const reading = readTool(tool, cwd)
  if (saysAll(reading)) return [`asks to: ${toolText({ ...tool, subject: reading.subject })}`]
  const title = tool.title === "" ? [] : [`  ${askerOf(request)} says: ${revealedLine(tool.title, 400)}`]
  return ["asks for permission", ...readingLines(request, cwd), ...title]
}

/**
 * Whether one line of `toolText` holds all that the request says. Changes of a file are shown later, when the file is
 * changed.
 */
const saysAll = ({ alsoNames, facts, gaps, subject, unread }: ToolReading): boolean => {
  if (facts.length + unread.length + gaps.length + alsoNames.length > 0) return false
  switch (subject.type) {
    case "command":
      return isWhole(subject.command, 400) && subject.cwd === undefined
    case "file":
      return isWhole(subject.path)
    case "search":
      return isWhole(subject.pattern, 80) && isWhole(subject.path ?? "", 80)
    case "url":
      return isWhole(subject.url)
    case "mcp":
    case "task":
    case "none":
      return false
  }
}

const isWhole = (text: string, width?: number): boolean => oneLine(text, width) === revealedLine(text)
