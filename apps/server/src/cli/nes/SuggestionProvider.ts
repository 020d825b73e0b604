/** Which agent a command asks for suggestions. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Run from "../../compose/Run.ts"
import { SettingsFile } from "../../settings/SettingsFile.ts"
import type { AgentFlags } from "../run/AgentChoice.ts"
import { ExitCode } from "../terminal/ExitCode.ts"
import { failedWith, usage } from "../terminal/Failure.ts"

/** The agent by `--provider`, else by the settings. None if `--agent` names it. */
export const providerOf = Effect.fnUntraced(function* (
  command: string,
  { agent, provider }: AgentFlags,
  directory: string
) {
  if (Option.isSome(agent) || Option.isSome(provider)) return provider
  const { faults, settings } = yield* Effect.flatMap(SettingsFile, ({ read }) => read).pipe(
    Effect.provide(Run.settingsLayer(directory))
  )
  const fault = faults.find(({ entry: [section] }) => section === undefined || section === "suggestions")
  if (fault !== undefined) return yield* failedWith(fault.problem, ExitCode.failed)
  const named = settings.suggestions?.provider
  if (named === undefined)
    return yield* usage(
      command,
      'Name the agent by --agent "CMD" or --provider NAME, or put "suggestions": {"provider": NAME} into the settings.'
    )
  return Option.some(named)
})
