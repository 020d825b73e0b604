/** `signalbox run --remember`: begins with the settings that the server remembers, and has it remember those of this run. */
import type { ProviderId } from "@signalbox/contracts/Provider"
import type { SettingValue } from "@signalbox/contracts/SessionSetting"
import * as Effect from "effect/Effect"
import { oneLine } from "../../base/Plain.ts"
import { failedWith } from "../terminal/Failure.ts"
import * as ServerClient from "../server/ServerClient.ts"
import type { Choice } from "./SettingChoice.ts"

/** The remembered settings of one agent in one folder. */
export interface Memory {
  readonly chosen: ReadonlyArray<Choice>
  /** Asks the server to remember these settings too. */
  readonly keep: (choices: ReadonlyArray<Choice>) => Effect.Effect<void>
}

/**
 * Reads the remembered settings from the server. It connects again to keep new ones, since an agent may take long to
 * start. `warn` reports what could not be kept.
 */
export const open = Effect.fn("Remember.open")(function* (
  directory: string,
  providerId: ProviderId,
  cwd: string,
  warn: (words: string) => void
) {
  const chosen = yield* Effect.scoped(
    Effect.gen(function* () {
      const server = yield* ServerClient.ofRunning(directory)
      return yield* ServerClient.inOurWords(server)(
        server.client.listRememberedSettings({ filter: { providerId, cwd } })
      )
    })
  ).pipe(Effect.mapError(({ problem }) => failedWith({ ...problem, nextSteps: [...problem.nextSteps, without] })))
  const keep: Memory["keep"] = (choices) => {
    if (choices.length === 0) return Effect.void
    const settings: Record<string, SettingValue> = Object.fromEntries(
      choices.map(({ settingId, value }) => [settingId, value])
    )
    return Effect.gen(function* () {
      const server = yield* ServerClient.ofRunning(directory)
      yield* ServerClient.inOurWords(server)(server.client.rememberSettings({ providerId, cwd, settings }))
    }).pipe(
      Effect.scoped,
      // The run goes on, since its own settings are in place.
      Effect.catch(({ problem: { cause, title } }) =>
        Effect.sync(() => warn(`Not remembered for the next time. ${oneLine(title)} ${oneLine(cause)}`))
      )
    )
  }
  return { chosen, keep } satisfies Memory
})

const without = { action: "run-command" as const, label: "Or leave --remember out" }

/** The choices as a list of `mode “plan”`. */
export const wordsOf = (choices: ReadonlyArray<Choice>): string =>
  choices.map(({ settingId, value }) => `${oneLine(settingId)} “${oneLine(String(value))}”`).join(", ")
