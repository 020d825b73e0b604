/** `--set` of commands about suggestions: sets each wish in every session that begins, or fails the session. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { providerError } from "../../base/ProviderError.ts"
import { type ChosenSettings, unremembered } from "../../editing/SuggestionSettings.ts"
import { choose, parseSet, type Wish } from "../run/SettingChoice.ts"
import { usage } from "../terminal/Failure.ts"

export const parsed = Effect.fnUntraced(function* (command: string, set: ReadonlyArray<string>) {
  const wishes: Array<Wish> = []
  for (const text of set) {
    const wish = parseSet(text)
    if (wish === undefined) return yield* usage(command, `--set ${JSON.stringify(text)} is not of the form ID=VALUE.`)
    wishes.push(wish)
  }
  return wishes
})

const change = { action: "set-option" as const, label: "Change the --set in the command of the editor" }

/** `onUnknown` takes a wish that can't be met, before the session fails. */
export const of = (
  wishes: ReadonlyArray<Wish>,
  onUnknown: (message: string, offered: ReadonlyArray<string>) => void = () => {}
): ChosenSettings => {
  const own = unremembered()
  return {
    ...own,
    begin: Effect.fn("WishedSettings.begin")(function* ({ current, set }) {
      for (const wish of wishes) {
        // Each change may change the other settings, so each wish is looked up in the current ones.
        const choice = choose(current(), wish)
        if (Result.isFailure(choice)) {
          const { message, offered } = choice.failure
          onUnknown(message, offered)
          const cause = offered.length === 0 ? message : `${message} ${offered.join(", ")}.`
          return yield* providerError("setting-rejected", "A --set can’t be followed.", cause, { nextSteps: [change] })
        }
        const { settingId, value } = choice.success
        yield* set(settingId, value)
        yield* own.chose(settingId, value)
      }
    })
  }
}
