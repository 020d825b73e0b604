/** The end of an agent: of its process, or of the connection to one that runs elsewhere. */
import type { ExitCode, ProcessExit } from "@signalbox/process/ProcessExit"

/** How an agent's process or connection ended. */
export interface AgentExit extends ProcessExit {
  /** In a sentence or two, of a connection to one that runs elsewhere. */
  readonly reason?: string
  /** It had closed its output and went on running: it was ended for that. */
  readonly outputClosed?: true
}

/** How a process has ended, as events and tapes tell it. */
export const codeOf = ({ exitCode, signal }: AgentExit): ExitCode => ({
  ...(exitCode !== undefined && { exitCode }),
  ...(signal !== undefined && { signal })
})
