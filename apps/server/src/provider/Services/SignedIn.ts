/** That somebody has signed in to an agent, or out: who was refused before may try again. Known for as long as this process runs. */
import type { ProviderId } from "@signalbox/contracts/Provider"
import type { SignInState } from "@signalbox/contracts/SignIn"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"

/** Who is signed in, as far as the agent tells. */
export type Who = Pick<SignInState, "state" | "accounts">

export class SignedIn extends Context.Service<
  SignedIn,
  {
    /** The agent's own method by which somebody signed in last. Undefined also if that was not by asking the agent itself. */
    readonly methodOf: (id: ProviderId) => Effect.Effect<string | undefined>
    /** Somebody signed in, or out. */
    readonly note: (id: ProviderId, method: string | undefined) => Effect.Effect<void>
    /** The agents of which that was noted, from now on. */
    readonly changes: Stream.Stream<ProviderId>
    /** An agent says by itself who is signed in. */
    readonly tell: (id: ProviderId, who: Who) => Effect.Effect<void>
    /** What agents say so, from now on. */
    readonly told: Stream.Stream<{ readonly id: ProviderId; readonly who: Who }>
  }
>()("@signalbox/server/provider/SignedIn") {}
