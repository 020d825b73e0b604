/** What an agent has said that is not the protocol, as a reason for what went wrong. */
import type { Evidence } from "@signalbox/contracts/Problem"
import type { AgentExit } from "../../agent/AgentExit.ts"

/** What the agent has said so far that is not the protocol. */
export interface Heard extends Pick<AgentExit, "stderrLines" | "stderrTail"> {
  readonly stray: ReadonlyArray<string>
}

export const strayEvidence = (stray: ReadonlyArray<string>): Evidence => (stray.length > 0 ? { stdoutTail: stray } : {})

const lastOf = (lines: ReadonlyArray<string>): string | undefined =>
  lines.findLast((line) => line.trim() !== "")?.slice(0, 500)

/** The end of what it wrote to stderr. */
export const lastWords = (stderrTail: ReadonlyArray<string>): string | undefined => {
  const last = lastOf(stderrTail)
  return last === undefined ? undefined : `Its last words: ${last}`
}

/** A program of which this is all we hear is most likely none that speaks the protocol. */
export const strayWords = (stray: ReadonlyArray<string>): string | undefined => {
  const last = lastOf(stray)
  return last === undefined ? undefined : `What it wrote to stdout is not the protocol: ${last}`
}
