/** The end of an agent's process: exit code, signal, last words. */
import type { Leftovers } from "./ProcessLedger.ts"

/** How an agent's process ended, and the last words that it wrote to stderr. */
export interface AgentExit {
  /** In a sentence or two, of a connection to one that runs elsewhere. */
  readonly reason?: string
  /** It had closed its output and went on running: it was ended for that. */
  readonly outputClosed?: true
  readonly exitCode?: number
  readonly signal?: string
  /** The last lines that it wrote to stderr, oldest first, and how many it wrote altogether. */
  readonly stderrTail: ReadonlyArray<string>
  readonly stderrLines: number
  /** What it had started and left behind. */
  readonly leftovers?: Leftovers
}

/** How a process has ended, as events and tapes tell it. */
export const codeOf = ({ exitCode, signal }: AgentExit): Pick<AgentExit, "exitCode" | "signal"> => ({
  ...(exitCode !== undefined && { exitCode }),
  ...(signal !== undefined && { signal })
})
