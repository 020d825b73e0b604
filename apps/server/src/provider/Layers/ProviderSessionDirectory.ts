/** The session directory: kept in the database by the server, and in memory by `signalbox run`. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { ProviderSessionStore } from "../../storage/ProviderSessionStore.ts"
import { type DirectoryEntry, ProviderSessionDirectory } from "../Services/ProviderSessionDirectory.ts"

/** A database that can't be used is a defect here: the session whose name can't be kept must not go on. */
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

/** Forgets everything when the process ends. */
export const layerMemory = Layer.sync(ProviderSessionDirectory, () => {
  const entries = new Map<ThreadId, DirectoryEntry>()
  return ProviderSessionDirectory.of({
    put: (entry) => Effect.sync(() => void entries.set(entry.threadId, entry)),
    get: (threadId) => Effect.sync(() => Option.fromNullishOr(entries.get(threadId))),
    remove: (threadId) => Effect.sync(() => void entries.delete(threadId)),
    threadsOf: (id) =>
      Effect.sync(() => {
        const ofAgent = [...entries.values()].filter(({ providerId }) => providerId === id)
        return new Map(ofAgent.map(({ resumeToken, threadId }) => [resumeToken, threadId]))
      }),
    foldersOf: (id) =>
      Effect.sync(() => {
        const ofAgent = [...entries.values()].filter(({ providerId }) => providerId === id)
        return [...new Set(ofAgent.map(({ cwd }) => cwd).reverse())]
      })
  })
})
