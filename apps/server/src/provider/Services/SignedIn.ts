/** That somebody has signed in to an agent, or out: who was refused before may try again. Known for as long as this process runs. */
import type { ProviderId } from "@signalbox/contracts/Provider"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"

export class SignedIn extends Context.Service<
  SignedIn,
  {
    /** By which of the agent's own methods somebody signed in last; undefined also where it was not by asking the agent itself. */
    readonly methodOf: (id: ProviderId) => string | undefined
    /** Somebody signed in, or out. */
    readonly note: (id: ProviderId, method: string | undefined) => Effect.Effect<void>
    /** The agents of which that was noted, from now on. */
    readonly changes: Stream.Stream<ProviderId>
  }
>()("@signalbox/server/provider/SignedIn") {}
