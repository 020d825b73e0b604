/** What must be remembered to take a thread's session up again after its process is gone. Survives restarts of the server. */
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
    /** Durable when it returns. Adapters call it as soon as the agent has named its session, before anything else can go wrong. */
    readonly put: (entry: DirectoryEntry) => Effect.Effect<void>
    readonly get: (threadId: ThreadId) => Effect.Effect<Option.Option<DirectoryEntry>>
    readonly remove: (threadId: ThreadId) => Effect.Effect<void>
    /** Which thread goes on with which session of this agent. */
    readonly threadsOf: (id: ProviderId) => Effect.Effect<ReadonlyMap<ResumeToken, ThreadId>>
    /** The folders of the threads that this agent has sessions for, the latest first, each once. */
    readonly foldersOf: (id: ProviderId) => Effect.Effect<ReadonlyArray<string>>
  }
>()("@signalbox/server/provider/ProviderSessionDirectory") {}
