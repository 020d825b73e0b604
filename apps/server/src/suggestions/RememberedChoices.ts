/** The settings that people chose last for suggestions of an agent in a folder. Its next session there begins with them. */
import { ProviderId } from "@signalbox/contracts/Provider"
import * as Effect from "effect/Effect"
import { providerError, providerErrorOf } from "../base/ProviderError.ts"
import type { SuggestionPlace } from "../editing/SuggestionPlace.ts"
import type { Chosen, ChosenSettings } from "../editing/SuggestionSettings.ts"
import * as DesiredSettings from "../provider/acp/session/DesiredSettings.ts"
import { RememberedSettings } from "../storage/RememberedSettings.ts"

export const make = Effect.map(
  RememberedSettings,
  (remembered) =>
    ({ provider, roots: [cwd] }: SuggestionPlace): ChosenSettings => {
      // An agent that has chats too has other settings there.
      const providerId = ProviderId.make(`suggestions ${provider.id}`)
      let chosen: Chosen = {}
      return {
        begin: Effect.fn("RememberedChoices.begin")(function* (session) {
          const known = yield* Effect.mapError(remembered.list({ providerId, cwd }), providerErrorOf)
          chosen = Object.fromEntries(known.map(({ settingId, value }) => [settingId, value]))
          yield* DesiredSettings.apply(session, chosen)
        }),
        chose: (settingId, value) => {
          chosen = { ...chosen, [settingId]: value }
          return Effect.mapError(remembered.remember(providerId, cwd, { [settingId]: value }), ({ message }) =>
            providerError("storage", "The setting was changed, but not remembered for the next time.", message)
          )
        },
        chosen: () => chosen
      }
    }
)
