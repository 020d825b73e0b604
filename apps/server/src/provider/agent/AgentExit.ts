/** The exit of an agent: of its process, or of the connection to a remote one. */
import type { ExitCode, ProcessExit } from "@signalbox/process/ProcessExit"

/** A component whose end was the end of its chain. */
export interface LostComponent extends ExitCode {
  /** Its name. Missing if the chain failed in another way. */
  readonly name?: string
  /** What happened, in a sentence. */
  readonly message: string
  /** The last lines that it wrote to stderr, oldest first. */
  readonly stderrTail: ReadonlyArray<string>
}

/** How an agent's process or connection ended. */
export interface AgentExit extends ProcessExit {
  /** The reason in a sentence or two, for a connection to a remote agent. */
  readonly reason?: string
  /** The component that ended the chain in front of the agent, which was ended for that. */
  readonly component?: LostComponent
  /** Whether the agent closed its output but continued to run, and was killed for that. */
  readonly outputClosed?: true
}

/** The exit code or signal, for events and tapes. */
export const codeOf = ({ exitCode, signal }: AgentExit): ExitCode => ({
  ...(exitCode !== undefined && { exitCode }),
  ...(signal !== undefined && { signal })
})
