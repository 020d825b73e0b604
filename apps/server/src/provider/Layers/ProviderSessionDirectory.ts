/** The session directory: kept in the database by the server, and in memory by `signalbox run`. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import type { ProviderId } from "@signalbox/contracts/Provider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import { ProviderSessionStore } from "../../storage/ProviderSessionStore.ts"
import { type DirectoryEntry, ProviderSessionDirectory } from "../Services/ProviderSessionDirectory.ts"

/** An unusable database is a defect here: a session must not continue if its name can't be stored. */
export const layer = Layer.effect(
  ProviderSessionDirectory,
  Effect.map(ProviderSessionStore, (store) =>
    ProviderSessionDirectory.of({
      put: (entry) => Effect.orDie(store.put(entry)),
      get: (threadId) => Effect.orDie(store.get(threadId)),
      remove: (threadId) => Effect.orDie(store.remove(threadId)),
      threadsOf: (id) => Effect.orDie(store.threadsOf(id)),
      foldersOf: (id) => Effect.orDie(store.foldersOf(id))
    })
  )
)

/** Keeps entries in memory until the process ends. */
export const layerMemory = Layer.effect(
  ProviderSessionDirectory,
  Effect.map(Ref.make<ReadonlyMap<ThreadId, DirectoryEntry>>(new Map()), (entries) => {
    const ofAgent = (id: ProviderId) =>
      Effect.map(Ref.get(entries), (all) => [...all.values()].filter(({ providerId }) => providerId === id))
    return ProviderSessionDirectory.of({
      put: (entry) => Ref.update(entries, (all) => new Map(all).set(entry.threadId, entry)),
      get: (threadId) => Effect.map(Ref.get(entries), (all) => Option.fromNullishOr(all.get(threadId))),
      remove: (threadId) => Ref.update(entries, (all) => new Map([...all].filter(([other]) => other !== threadId))),
      threadsOf: (id) =>
        Effect.map(ofAgent(id), (those) => new Map(those.map(({ resumeToken, threadId }) => [resumeToken, threadId]))),
      foldersOf: (id) => Effect.map(ofAgent(id), (those) => [...new Set(those.map(({ cwd }) => cwd).reverse())])
    })
  })
)
