/** A running agent, local or remote: how to communicate with it, and how it ends. */
import type { Transport } from "@signalbox/acp/Transport"
import type { Evidence } from "@signalbox/contracts/Problem"
import type { PipedProcess } from "@signalbox/process/PipedProcess"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { PartTraffic, SessionChain } from "@signalbox/contracts/SessionChain"
import type { AgentExit } from "./AgentExit.ts"

export interface RunningAgent extends Omit<PipedProcess<AgentExit>, "pid" | "transport"> {
  /** The id of its process; undefined if it runs elsewhere. */
  readonly pid: number | undefined
  readonly transport: Transport
  /** The components in front of it. Undefined without any. */
  readonly chain?: RunningChain
}

/** The chain in front of a running agent. */
export interface RunningChain {
  /** Its parts, as soon as the agent was asked what it lacks; the agent is last. Empty before. */
  readonly parts: () => SessionChain
  readonly traffic: () => ReadonlyArray<PartTraffic>
  /** Whether it has failed, by the end of the agent or of a component. Open calls fail with errors of its own then. */
  readonly isOver: () => boolean
}

/** An exit as the evidence of a problem. */
export const evidenceOf = (exit: AgentExit): Evidence => ({
  ...(exit.exitCode !== undefined && { exitCode: exit.exitCode }),
  ...(exit.signal !== undefined && { signal: exit.signal }),
  ...(exit.stderrLines > 0 && { stderrTail: exit.stderrTail, stderrLines: exit.stderrLines })
})

/** Time between the end of the output and the exit. A process that takes longer is killed. */
const exitGrace = "2 seconds"

export const exitOf = (process: RunningAgent): Effect.Effect<AgentExit> =>
  Effect.flatMap(
    Effect.timeoutOption(process.exited, exitGrace),
    Option.match({
      onNone: () => Effect.map(process.kill, (exit): AgentExit => ({ ...exit, outputClosed: true })),
      onSome: Effect.succeed
    })
  )
