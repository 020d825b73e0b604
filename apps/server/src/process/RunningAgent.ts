/** An agent that runs, as a process of ours or elsewhere: how it is talked to, and how it ends. */
import type { Transport } from "@signalbox/acp/Transport"
import type { Evidence } from "@signalbox/contracts/Problem"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { AgentExit } from "./AgentExit.ts"

export interface RunningAgent {
  /** The id of its process; undefined if it runs elsewhere. */
  readonly pid: number | undefined
  /** Milliseconds since 1970. */
  readonly startedAt: number
  /** When a byte last went over its stdin or stdout, or when it was started; milliseconds since 1970. */
  readonly lastSignAt: () => number
  /** `closed` as soon as it can't be talked to any more, in either direction. */
  readonly pipes: () => "open" | "closed"
  readonly transport: Transport
  /** Completes when the process has exited and its stderr is read. */
  readonly exited: Effect.Effect<AgentExit>
  /** Its last words until now. */
  readonly stderr: () => Pick<AgentExit, "stderrTail" | "stderrLines">
  /** Ends it politely: stdin is closed, then SIGTERM, then SIGKILL, the signals to the whole group. */
  readonly stop: Effect.Effect<AgentExit>
  /** Ends the whole group at once. */
  readonly kill: Effect.Effect<AgentExit>
}

/** An exit as problems tell it. */
export const evidenceOf = (exit: AgentExit): Evidence => ({
  ...(exit.exitCode !== undefined && { exitCode: exit.exitCode }),
  ...(exit.signal !== undefined && { signal: exit.signal }),
  ...(exit.stderrLines > 0 && { stderrTail: exit.stderrTail, stderrLines: exit.stderrLines })
})

/** A process that has closed its output is about to exit; one that does not is ended. */
const exitGrace = "2 seconds"

export const exitOf = (process: RunningAgent): Effect.Effect<AgentExit> =>
  Effect.flatMap(
    Effect.timeoutOption(process.exited, exitGrace),
    Option.match({
      onNone: () => Effect.map(process.kill, (exit): AgentExit => ({ ...exit, outputClosed: true })),
      onSome: Effect.succeed
    })
  )
