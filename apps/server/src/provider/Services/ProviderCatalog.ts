/** The agents that threads can be started on, and what is known of each on this machine. */
import type {
  ProviderCheck,
  ProviderId,
  ProviderOptions,
  ProviderRef,
  ProviderStatus
} from "@signalbox/contracts/Provider"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { ProviderError } from "../../base/ProviderError.ts"

/** A check of the login. */
export type LoginCheck = ProviderCheck & { readonly name: "login" }

export class ProviderCatalog extends Context.Service<
  ProviderCatalog,
  {
    /** The agent that a command names, with the options its process is started with. Unknown id: `agent-not-found`. */
    readonly get: (
      id: ProviderId
    ) => Effect.Effect<{ readonly provider: ProviderRef; readonly options: ProviderOptions }, ProviderError>
    /** What is known now, at once; checks run in the background. */
    readonly statuses: Effect.Effect<ReadonlyArray<ProviderStatus>>
    /** Emits the statuses of all agents at once, and again after every change. */
    readonly changes: Stream.Stream<ReadonlyArray<ProviderStatus>>
    /** Looks every agent over again; returns when done. */
    readonly check: Effect.Effect<ReadonlyArray<ProviderStatus>>
    /** What the agent itself has said just now of who is signed in. Stays until it is said anew, or found by a check. */
    readonly noteLogin: (id: ProviderId, login: LoginCheck) => Effect.Effect<void>
  }
>()("@signalbox/server/provider/ProviderCatalog") {}
