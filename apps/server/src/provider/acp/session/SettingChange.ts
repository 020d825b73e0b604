/** Changes a setting of a running session for people. */
import type { RequestFailure } from "@signalbox/acp/AcpError"
import type { SettingValue } from "@signalbox/contracts/SessionSetting"
import * as Effect from "effect/Effect"
import { ProviderError, providerError } from "../../../base/ProviderError.ts"
import { failureProblem } from "../connection/AgentProblems.ts"
import * as SettingsModel from "../projection/SettingsModel.ts"
import * as DesiredSettings from "./DesiredSettings.ts"
import type { SessionCore } from "./SessionCore.ts"
import * as SessionOver from "./SessionOver.ts"
import * as SessionPhase from "./SessionPhase.ts"
import * as SessionStop from "./SessionStop.ts"

/**
 * Changes a setting. Callers make one change at a time: with two, it is uncertain which response has the latest
 * settings.
 */
export const set = (
  core: SessionCore,
  settable: DesiredSettings.Settable,
  settingId: string,
  value: SettingValue
): Effect.Effect<void, ProviderError> =>
  Effect.suspend(() => {
    const { memory, profile, projection, status } = core
    if (SessionPhase.isOver(status.phase)) return SessionOver.unavailable(core)
    if (status.phase === "lost") return SessionStop.leave(core)
    const setting = projection.settings.find(({ id }) => id === settingId)
    const refusal =
      setting === undefined ? `${profile.name} offers no ${settingId} now.` : SettingsModel.refusal(setting, value)
    if (refusal !== undefined) return Effect.fail(rejected(refusal))
    return DesiredSettings.set(settable, settingId, value).pipe(
      Effect.map(() => {
        memory.settings = { ...memory.settings, [settingId]: value }
      }),
      Effect.mapError((failure) => errorOf(core, failure))
    )
  })

const errorOf = (
  { profile, status }: SessionCore,
  failure: RequestFailure | DesiredSettings.SettingUnanswered
): ProviderError => {
  if (failure instanceof DesiredSettings.SettingUnanswered) return rejected(failure.message)
  const problem = failureProblem(profile, "session/set_config_option", failure)
  if (problem.code === "session-not-found") SessionPhase.send(status, "forgotten")
  return new ProviderError({
    problem:
      problem.code === "request-failed" ? { ...problem, code: "setting-rejected", title, nextSteps: [] } : problem
  })
}

const title = "The setting was not changed."

const rejected = (cause: string): ProviderError => providerError("setting-rejected", title, cause)
