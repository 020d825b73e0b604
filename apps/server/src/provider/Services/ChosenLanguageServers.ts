/** The language servers that people's settings turn on, for components of a chain. */
import type { ServerDefinition } from "@signalbox/lsp/ServerDefinition"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/** Read when a chain starts. Undefined: components look for the servers that Signalbox knows on this machine. */
export const ChosenLanguageServers = Context.Reference<Effect.Effect<ReadonlyArray<ServerDefinition> | undefined>>(
  "@signalbox/server/provider/ChosenLanguageServers",
  { defaultValue: () => Effect.undefined }
)
