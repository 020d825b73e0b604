/**
 * The running agents, stored outside of this process. If it is killed together with its guard, the next Signalbox ends
 * them.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Refused } from "@signalbox/contracts/Refused"

/** The variable with an entry's marker. The agent and all its descendants inherit it. */
export const markerVariable = "SIGNALBOX_AGENT"

/** The marker as `NAME=value`, the form in an environment. */
export const markOf = (marker: string): string => `${markerVariable}=${marker}`

/** One agent in the ledger, from before its process exists. */
export interface LedgerEntry {
  /** A random UUID. */
  readonly marker: string
  /** The absolute file in which a guard notes the processes that it ended. Undefined if nothing is stored. */
  readonly endedList?: string
  /** Adds the process, just after its start and before anything is sent to it. */
  readonly started: (pid: number) => Effect.Effect<void, Refused>
  /** Removes the agent from the ledger, since nothing of its process group is left. */
  readonly close: Effect.Effect<void>
}

/** The marker in an environment, given as `NAME=value`. */
export const markerIn = (environment: ReadonlyArray<string>): string | undefined =>
  environment.find((entry) => entry.startsWith(`${markerVariable}=`))?.slice(markerVariable.length + 1)

/** A process as people see it. */
export interface NamedProcess {
  readonly pid: number
  readonly name: string
}

/** The processes that a program of ours started and left running. */
export interface Leftovers {
  readonly ended: ReadonlyArray<NamedProcess>
  /** Processes that continue, since the agent's settings say so. */
  readonly kept: ReadonlyArray<NamedProcess>
  /** Processes that could not be ended. */
  readonly left: ReadonlyArray<NamedProcess>
}

export const noLeftovers: Leftovers = { ended: [], kept: [], left: [] }

/** The processes that an earlier Signalbox had left of an agent. */
export interface FoundAgent extends Leftovers {
  readonly runsFor?: string
  readonly command: string
}

export class ProcessLedger extends Context.Service<
  ProcessLedger,
  {
    /** Enters an agent that is about to start. On return the entry survives the end of this process. */
    readonly enter: (agent: {
      /** The starter's name for its purpose. */
      readonly runsFor?: string | undefined
      /** The command that starts the program. */
      readonly command: string
      /** Names of programs that are not ended with it. */
      readonly keeps?: ReadonlyArray<string> | undefined
    }) => Effect.Effect<LedgerEntry, Refused>
    /** The number of living processes of an earlier Signalbox that this one ended at its start. */
    readonly reaped: number
    /** The results for each of their agents. */
    readonly found: ReadonlyArray<FoundAgent>
  }
>()("./ProcessLedger.ts") {}
