/** An agent's output outside of the protocol, as the reason for an error. */
import type { Evidence } from "@signalbox/contracts/Problem"
import type { AgentExit } from "../../agent/AgentExit.ts"

/** The agent's output so far that is not the protocol. */
export interface Heard extends Pick<AgentExit, "stderrLines" | "stderrTail"> {
  readonly stray: ReadonlyArray<string>
}

export const strayEvidence = (stray: ReadonlyArray<string>): Evidence => (stray.length > 0 ? { stdoutTail: stray } : {})

const lastOf = (lines: ReadonlyArray<string>): string | undefined =>
  lines.findLast((line) => line.trim() !== "")?.slice(0, 500)

/** The last line that the agent wrote to stderr. */
export const lastWords = (stderrTail: ReadonlyArray<string>): string | undefined => {
  const last = lastOf(stderrTail)
  return last === undefined ? undefined : `Its last words: ${last}`
}

/** The last stdout line of a program that most likely does not speak the protocol. */
export const strayWords = (stray: ReadonlyArray<string>): string | undefined => {
  const last = lastOf(stray)
  return last === undefined ? undefined : `What it wrote to stdout is not the protocol: ${last}`
}
