/** The end of a process: exit code, signal, last words. */
import type { Leftovers } from "./ProcessLedger.ts"

/** How a process was ended: its exit code, or the signal that ended it. */
export interface ExitCode {
  readonly exitCode?: number
  readonly signal?: string
}

/** How a process ended, and the last words that it wrote to stderr. */
export interface ProcessExit extends ExitCode {
  /** The last lines that it wrote to stderr, oldest first, and how many it wrote altogether. */
  readonly stderrTail: ReadonlyArray<string>
  readonly stderrLines: number
  /** What it had started and left behind. */
  readonly leftovers?: Leftovers
}
