/** Notes sign-ins and sign-outs while this process runs, so that agents that were refused may try again. */
import type { ProviderId } from "@signalbox/contracts/Provider"
import type { SignInState } from "@signalbox/contracts/SignIn"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"

/** Who is signed in, as far as the agent reports it. */
export type Who = Pick<SignInState, "state" | "accounts">

export class SignedIn extends Context.Service<
  SignedIn,
  {
    /** The agent's method of the latest sign-in. Undefined if that was not through the agent itself. */
    readonly methodOf: (id: ProviderId) => Effect.Effect<string | undefined>
    /** Notes that somebody signed in or out. */
    readonly note: (id: ProviderId, method: string | undefined) => Effect.Effect<void>
    /** The agents of later sign-ins and sign-outs. */
    readonly changes: Stream.Stream<ProviderId>
    /** Notes an agent's own report of who is signed in. */
    readonly report: (id: ProviderId, who: Who) => Effect.Effect<void>
    /** Later reports of agents. */
    readonly reports: Stream.Stream<{ readonly id: ProviderId; readonly who: Who }>
  }
>()("@signalbox/server/provider/SignedIn") {}
