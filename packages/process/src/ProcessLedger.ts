/**
 * Which agents run, on record outside of this process: whoever comes after it ends what it could not end itself, because it was
 * killed together with its guard.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Refused } from "@signalbox/contracts/Refused"

/** Carries an entry's marker in the environment of the agent, and so of all that it starts. */
export const markerVariable = "SIGNALBOX_AGENT"

/** The marker as `NAME=value`, as it stands in an environment. */
export const markOf = (marker: string): string => `${markerVariable}=${marker}`

/** One agent on record, from before its process exists. */
export interface LedgerEntry {
  /** A random UUID. */
  readonly marker: string
  /** The file in which a guard notes what it has ended of it, absolute. Absent where nothing is kept. */
  readonly endedList?: string
  /** Adds the process, right after its start and before anything is sent to it. */
  readonly started: (pid: number) => Effect.Effect<void, Refused>
  /** Takes the agent off the record: nothing of its process group is left. */
  readonly close: Effect.Effect<void>
}

/** The marker in an environment, told as `NAME=value`. */
export const markerIn = (environment: ReadonlyArray<string>): string | undefined =>
  environment.find((entry) => entry.startsWith(`${markerVariable}=`))?.slice(markerVariable.length + 1)

/** A process as people are told of it. */
export interface NamedProcess {
  readonly pid: number
  readonly name: string
}

/** What a program of ours had started and left running. */
export interface Leftovers {
  readonly ended: ReadonlyArray<NamedProcess>
  /** They go on, since the agent's settings say so. */
  readonly kept: ReadonlyArray<NamedProcess>
  /** They could not be ended. */
  readonly left: ReadonlyArray<NamedProcess>
}

export const noLeftovers: Leftovers = { ended: [], kept: [], left: [] }

/** What an earlier Signalbox had left of an agent. */
export interface FoundAgent extends Leftovers {
  readonly runsFor?: string
  readonly command: string
}

export class ProcessLedger extends Context.Service<
  ProcessLedger,
  {
    /** Puts an agent on record that is about to be started. Durable against the end of this process when it returns. */
    readonly enter: (agent: {
      /** What it runs for, as its starter calls that. */
      readonly runsFor?: string | undefined
      /** The program, as it is started. */
      readonly command: string
      /** Names of programs that are not ended with it. */
      readonly keeps?: ReadonlyArray<string> | undefined
    }) => Effect.Effect<LedgerEntry, Refused>
    /** How many processes of an earlier Signalbox were found alive, and ended, when this one began. */
    readonly reaped: number
    /** What became of them, agent by agent. */
    readonly found: ReadonlyArray<FoundAgent>
  }
>()("./ProcessLedger.ts") {}
