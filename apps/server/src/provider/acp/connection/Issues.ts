/** Describes errors on the wire that the connection survived. */
import type { Issue } from "@signalbox/acp/AcpClient"
import type { Secrets } from "@signalbox/redaction/Secrets"
import { compact } from "../../../base/Json.ts"
import * as LineTail from "@signalbox/process/LineTail"

export interface IssueReport {
  readonly message: string
  readonly detail?: string
  readonly line?: number | undefined
}

/** Most reports of one kind in one session. An agent that makes many errors must not fill the transcript. */
const maxReports = 20
const maxDetail = 2_000

/** Makes a function that describes issues, until there are too many of one kind. */
export const reporter = (
  agent: { readonly name: string },
  secrets: Secrets
): ((issue: Issue) => IssueReport | undefined) => {
  const counts = new Map<string, number>()
  return (issue) => {
    const count = (counts.get(issue._tag) ?? 0) + 1
    counts.set(issue._tag, count)
    if (count > maxReports) return undefined
    const report = describe(agent.name, issue)
    const detail = report.detail !== undefined && { detail: beginningOf(report.detail, maxDetail, secrets) }
    if (count < maxReports) return { ...report, ...detail }
    return { ...report, ...detail, message: `${report.message} Further ones of this kind are not shown.` }
  }
}

/** The beginning of a text without secrets. They are removed before the text is cut. */
const beginningOf = (text: string, length: number, secrets: Secrets): string =>
  secrets.hideCut(text.slice(0, length + looked)).slice(0, length)
/** Longest secret that is found at the cut. */
const looked = 16_384

/**
 * Keeps an agent's stdout lines that are not valid messages: the last 20, at most 4 KiB. If a program does not speak
 * the protocol, this is all it says: a usage text, an error or a question.
 */
export const strayOutput = (
  secrets: Secrets
): {
  readonly see: (issue: Issue) => void
  readonly lines: () => ReadonlyArray<string>
} => {
  const lineCharacters = 1024
  const tail = LineTail.make({ lines: 20, characters: 4096, lineCharacters })
  const push = (text: string) => tail.push(beginningOf(text, lineCharacters + 1, secrets))
  return {
    see: (issue) => {
      if (issue._tag === "Noise") push(issue.text)
      else if (issue._tag === "OversizedLine" || issue._tag === "DeepMessage") push(issue.head)
      else if (issue._tag === "InvalidMessage" || issue._tag === "StrayResponse") push(compact(issue.message))
    },
    lines: tail.lines
  }
}

const describe = (name: string, issue: Issue): IssueReport => {
  switch (issue._tag) {
    case "Noise":
      return { message: `${name} wrote a line that is no message.`, detail: issue.text, line: issue.line }
    case "OversizedLine":
      return { message: `${name} wrote a line that is too long. It was skipped.`, detail: issue.head }
    case "DeepMessage":
      return {
        message: `${name} sent a message that is nested too deeply. It was not read.`,
        detail: issue.head,
        line: issue.line
      }
    case "InvalidMessage":
      return { message: `${name} sent an invalid message.`, detail: compact(issue.message), line: issue.line }
    case "StrayResponse":
      return {
        message: `${name} answered something that was not asked.`,
        detail: compact(issue.message),
        line: issue.line
      }
    case "HandlerDefect":
      return { message: `A message of ${name} could not be handled.`, detail: issue.message }
    case "Dropped":
      return {
        message: `${name} sent a ${issue.method} with malformed parts. They were left out.`,
        detail: issue.dropped.map(({ path, reason }) => `${path}: ${reason}`).join("\n"),
        line: issue.line
      }
    case "MalformedNotification":
      return { message: `${name} sent a malformed ${issue.method}.`, detail: issue.reason, line: issue.line }
  }
}
