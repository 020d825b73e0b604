import type { Evidence } from "@signalbox/contracts/Problem"
import { figure } from "../words/figures.ts"

/** One line of evidence: what the agent printed, or what we saw of it. */
export interface EvidenceLine {
  readonly text: string
  readonly voice: "agent" | "ours"
}

/** What stands in the well of a problem, in order. */
export const printed = ({
  exitCode,
  rpcData,
  signal,
  stderrLines,
  stderrTail,
  stdoutTail
}: Evidence): ReadonlyArray<EvidenceLine> => [
  ...output("stderr", stderrTail, stderrLines),
  ...output("stdout, not the protocol", stdoutTail),
  ...(rpcData === undefined ? [] : [{ text: `data: ${rpcData}`, voice: "ours" } as const]),
  ...(exitCode === undefined && signal === undefined ? [] : [{ text: ended(exitCode, signal), voice: "ours" } as const])
]

/** The last lines of a stream under its name. `total` is how many it had altogether, where that is known. */
const output = (stream: string, tail: ReadonlyArray<string> = [], total = 0): ReadonlyArray<EvidenceLine> => {
  if (tail.length === 0) return []
  return [
    { text: headingOf(stream, tail.length, total), voice: "ours" },
    ...tail.map((text): EvidenceLine => ({ text, voice: "agent" }))
  ]
}

/** The stream, and how much of it is here where that is not all. */
export const headingOf = (stream: string, shown: number, total: number): string =>
  shown < total ? `${stream}, last ${figure(shown)} of ${figure(total)} lines` : stream

const ended = (exitCode: number | undefined, signal: string | undefined): string =>
  signal === undefined ? `exit: code ${exitCode ?? ""}` : `exit: signal ${signal}`

export const hasPrinted = (evidence: Evidence): boolean => printed(evidence).length > 0
