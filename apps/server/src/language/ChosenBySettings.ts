/** Gives the language servers that the settings turn on to the components of chains. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ChosenLanguageServers } from "../provider/Services/ChosenLanguageServers.ts"
import { SettingsFile } from "../settings/SettingsFile.ts"
import { turnedOn } from "./LanguagePool.ts"

export const layer = Layer.effect(
  ChosenLanguageServers,
  Effect.map(SettingsFile, ({ read }) =>
    Effect.gen(function* () {
      const { settings } = yield* read
      const { definitions, unusable } = yield* turnedOn(settings)
      return definitions.length + unusable.length === 0 ? undefined : definitions
    })
  )
)
