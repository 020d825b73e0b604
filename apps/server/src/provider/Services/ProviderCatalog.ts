/** The agents that threads can use, and the state of each on this machine. */
import type {
  ProviderCheck,
  ProviderId,
  AgentOptions,
  ProviderRef,
  ProviderStatus
} from "@signalbox/contracts/Provider"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { ProviderError } from "../../base/ProviderError.ts"

/** The check of whether somebody is signed in. */
export type LoginCheck = ProviderCheck & { readonly name: "login" }

export class ProviderCatalog extends Context.Service<
  ProviderCatalog,
  {
    /** The agent with this id, and the options to start it with. Fails with `agent-not-found` for an unknown id. */
    readonly get: (
      id: ProviderId
    ) => Effect.Effect<{ readonly provider: ProviderRef; readonly options: AgentOptions }, ProviderError>
    /** The present statuses, without waiting. Checks run in the background. */
    readonly statuses: Effect.Effect<ReadonlyArray<ProviderStatus>>
    /** Emits the statuses of all agents at once, and again after every change. */
    readonly changes: Stream.Stream<ReadonlyArray<ProviderStatus>>
    /** Checks every agent again, and returns when it is complete. */
    readonly check: Effect.Effect<ReadonlyArray<ProviderStatus>>
    /**
     * Stores the agent's own latest report of who is signed in. It counts until the next report, or until a check finds
     * another.
     */
    readonly noteLogin: (id: ProviderId, login: LoginCheck) => Effect.Effect<void>
  }
>()("@signalbox/server/provider/ProviderCatalog") {}
