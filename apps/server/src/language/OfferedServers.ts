/** Language servers that this machine has, and that the settings do not turn on. */
import * as KnownServers from "@signalbox/ide/servers/KnownServers"
import * as LanguageId from "@signalbox/lsp/LanguageId"
import type { ServerDefinition } from "@signalbox/lsp/ServerDefinition"
import * as Effect from "effect/Effect"

export interface OfferedServers {
  /** Lists the servers that know the language of a file, without those whose ids are in `on`. */
  readonly of: (path: string, on: ReadonlySet<string>) => Effect.Effect<ReadonlyArray<ServerDefinition>>
}

/** Looks in a search path, and again after half a minute. */
export const make = Effect.fnUntraced(function* (path: string): Effect.fn.Return<OfferedServers> {
  const found = yield* Effect.cachedWithTTL(KnownServers.find(path), "30 seconds")
  return {
    of: (file, on) =>
      Effect.map(found, ({ definitions }) =>
        definitions.filter(({ id, languages }) => !on.has(id) && languages.includes(LanguageId.ofPath(file)))
      )
  }
})
