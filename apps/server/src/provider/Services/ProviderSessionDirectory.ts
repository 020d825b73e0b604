/** Stores what is needed to resume a thread's session after its process has ended. Survives restarts of the server. */
import type { ResumeToken, ThreadId } from "@signalbox/contracts/Ids"
import type { ProviderId, ProviderKind } from "@signalbox/contracts/Provider"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"

export interface DirectoryEntry {
  readonly threadId: ThreadId
  readonly providerId: ProviderId
  readonly providerKind: ProviderKind
  readonly resumeToken: ResumeToken
  readonly cwd: string
}

export class ProviderSessionDirectory extends Context.Service<
  ProviderSessionDirectory,
  {
    /**
     * Stores an entry durably. Adapters call it as soon as the agent has named its session, before anything else can
     * fail.
     */
    readonly put: (entry: DirectoryEntry) => Effect.Effect<void>
    readonly get: (threadId: ThreadId) => Effect.Effect<Option.Option<DirectoryEntry>>
    readonly remove: (threadId: ThreadId) => Effect.Effect<void>
    /** The thread of each session of this agent. */
    readonly threadsOf: (id: ProviderId) => Effect.Effect<ReadonlyMap<ResumeToken, ThreadId>>
    /** The folders of the threads with sessions of this agent, each once, the latest first. */
    readonly foldersOf: (id: ProviderId) => Effect.Effect<ReadonlyArray<string>>
  }
>()("@signalbox/server/provider/ProviderSessionDirectory") {}
