/** The exit of an agent: of its process, or of the connection to a remote one. */
import type { ExitCode, ProcessExit } from "@signalbox/process/ProcessExit"

/** How an agent's process or connection ended. */
export interface AgentExit extends ProcessExit {
  /** The reason in a sentence or two, for a connection to a remote agent. */
  readonly reason?: string
  /** Whether the agent closed its output but continued to run, and was killed for that. */
  readonly outputClosed?: true
}

/** The exit code or signal, for events and tapes. */
export const codeOf = ({ exitCode, signal }: AgentExit): ExitCode => ({
  ...(exitCode !== undefined && { exitCode }),
  ...(signal !== undefined && { signal })
})
