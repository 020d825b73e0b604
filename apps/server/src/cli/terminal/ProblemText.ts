/** A problem as text for a terminal: title, cause, evidence, next step. */
import type { Evidence, Problem } from "@signalbox/contracts/Problem"
import type { Styled } from "./Ink.ts"
import { nextSteps } from "./NextSteps.ts"
import { oneLine, plain } from "../../base/Plain.ts"

/** Lines of output that a problem shows. */
const tailLines = 12

/** `steps`: in place of those for people at a terminal. */
export const problemText = (problem: Problem, steps = nextSteps(problem)): string =>
  [
    `error: ${oneLine(problem.title, 400)}`,
    ...indented(plain(problem.cause)),
    ...evidenceLines(problem.evidence).map((line) => `  ${line}`),
    ...steps.map((step) => `  Next: ${oneLine(step, 600)}`)
  ].join("\n")

/** The text of a problem, with its first line drawn as an error. `steps`: in place of those for people at a terminal. */
export const problemShown = (problem: Problem, steps = nextSteps(problem)): ReadonlyArray<string | Styled> => {
  const [first = "", ...rest] = problemText(problem, steps).split("\n")
  const commands = problem.nextSteps.flatMap(({ command }) => (command === undefined ? [] : oneLine(command, 600)))
  const isCommand = (line: string) => line.startsWith("  Next: ") && commands.some((command) => line.endsWith(command))
  return [
    { style: "error", text: first },
    ...rest.map((text) => (isCommand(text) ? { text, whole: true as const } : text))
  ]
}

const indented = (text: string): ReadonlyArray<string> =>
  text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => `  ${line}`)

const evidenceLines = (evidence: Evidence): ReadonlyArray<string> => {
  const { exitCode, method, path, rpcCode, rpcData, rpcMessage, signal, stderrLines, stderrTail, stdoutTail } = evidence
  const lines: Array<string> = []
  if (path !== undefined) lines.push(`Path: ${oneLine(path, 400)}`)
  if (rpcCode !== undefined || rpcMessage !== undefined) {
    const call = method === undefined ? "The agent answered" : `${oneLine(method)} was answered`
    lines.push(
      `${call}: ${[rpcCode, rpcMessage, rpcData]
        .filter((part) => part !== undefined)
        .map(short)
        .join(" ")}`
    )
  }
  if (exitCode !== undefined) lines.push(`Exit code: ${exitCode}`)
  if (signal !== undefined) lines.push(`Signal: ${signal}`)
  lines.push(...output("stderr", stderrTail, stderrLines))
  lines.push(...output("stdout, not the protocol", stdoutTail))
  return lines
}

/** The last lines of a stream. `total`: the number of all its lines, if it is known. */
const output = (stream: string, tail: ReadonlyArray<string> = [], total?: number): ReadonlyArray<string> => {
  if (tail.length === 0) return []
  const shown = tail.slice(-tailLines)
  return [heading(stream, shown.length, total), ...shown.map((line) => `  | ${oneLine(line, 240)}`)]
}

const heading = (stream: string, shown: number, total: number | undefined): string => {
  if (total === undefined) return `Last on ${stream}:`
  return shown < total ? `The last ${shown} of ${total} lines on ${stream}:` : `On ${stream}:`
}

const short = (part: string | number): string => oneLine(String(part), 400)
