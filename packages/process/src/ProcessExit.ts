/** The end of a process: exit code, signal, last words. */
import type { Leftovers } from "./ProcessLedger.ts"

/** The end of a process: its exit code, or the signal that ended it. */
export interface ExitCode {
  readonly exitCode?: number
  readonly signal?: string
}

/** The end of a process, and the end of its stderr. */
export interface ProcessExit extends ExitCode {
  /** The last lines of its stderr, oldest first, and the number of all lines. */
  readonly stderrTail: ReadonlyArray<string>
  readonly stderrLines: number
  /** The processes that it left running. */
  readonly leftovers?: Leftovers
}
