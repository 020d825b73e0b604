import type { Evidence } from "@signalbox/contracts/Problem"
import { figure } from "../transcript/figures.ts"

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
  const heading = tail.length < total ? `${stream}, last ${figure(tail.length)} of ${figure(total)} lines` : stream
  return [{ text: heading, voice: "ours" }, ...tail.map((text): EvidenceLine => ({ text, voice: "agent" }))]
}

const ended = (exitCode: number | undefined, signal: string | undefined): string =>
  signal === undefined ? `exit: code ${exitCode ?? ""}` : `exit: signal ${signal}`

export const hasPrinted = (evidence: Evidence): boolean => printed(evidence).length > 0
