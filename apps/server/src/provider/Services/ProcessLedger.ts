/**
 * Which agents run, on record outside of this process: whoever comes after it ends what it could not end itself, because it was
 * killed together with its guard.
 */
import type { ThreadId } from "@signalbox/contracts/Ids"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { ProviderError } from "./ProviderError.ts"

/** Carries an entry's marker in the environment of the agent, and so of all that it starts. */
export const markerVariable = "SIGNALBOX_AGENT"

/** One agent on record, from before its process exists. */
export interface LedgerEntry {
  /** A random UUID. */
  readonly marker: string
  /** Adds the process, right after its start and before anything is sent to it. */
  readonly started: (pid: number) => Effect.Effect<void, ProviderError>
  /** Takes the agent off the record: nothing of its process group is left. */
  readonly close: Effect.Effect<void>
}

export class ProcessLedger extends Context.Service<
  ProcessLedger,
  {
    /** Puts an agent on record that is about to be started. Durable against the end of this process when it returns. */
    readonly enter: (agent: {
      /** Absent where it runs for no thread. */
      readonly threadId?: ThreadId | undefined
      /** The program, as it is started. */
      readonly command: string
    }) => Effect.Effect<LedgerEntry, ProviderError>
    /** How many processes of an earlier Signalbox were found alive, and ended, when this one began. */
    readonly reaped: number
  }
>()("@signalbox/server/provider/ProcessLedger") {}
