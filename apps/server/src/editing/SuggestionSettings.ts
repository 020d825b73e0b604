/** The settings of an agent for suggestions: what it offers, and what people have chosen of it. */
import type { SessionSetting, SettingValue } from "@signalbox/contracts/SessionSetting"
import * as Effect from "effect/Effect"
import { type ProviderError, providerError } from "../base/ProviderError.ts"
import * as SettingsModel from "../provider/acp/projection/SettingsModel.ts"

/** A session whose settings can be changed. */
export interface Settable {
  readonly current: () => ReadonlyArray<SessionSetting>
  /** Changes one setting. Completes when the agent has confirmed it. */
  readonly set: (settingId: string, value: SettingValue) => Effect.Effect<void, ProviderError>
}

export type Chosen = Readonly<Record<string, SettingValue>>

/** What people have chosen for the sessions of one place. */
export interface ChosenSettings {
  /** Sets what was chosen before, in a session that has just begun. */
  readonly begin: (session: Settable) => Effect.Effect<void, ProviderError>
  /** Somebody has chosen a value, which the agent has taken. */
  readonly chose: (settingId: string, value: SettingValue) => Effect.Effect<void, ProviderError>
  readonly chosen: () => Chosen
}

/** Values hold as long as the desk. */
export const unremembered = (): ChosenSettings => {
  let chosen: Chosen = {}
  return {
    begin: () => Effect.void,
    chose: (settingId, value) =>
      Effect.sync(() => {
        chosen = { ...chosen, [settingId]: value }
      }),
    chosen: () => chosen
  }
}

const title = "The setting was not changed."

/** Changes a setting that the agent offers, to a value that it offers. `name`: the agent. */
export const set = (
  name: string,
  { current, set: change }: Settable,
  settingId: string,
  value: SettingValue
): Effect.Effect<void, ProviderError> =>
  Effect.suspend(() => {
    const setting = current().find(({ id }) => id === settingId)
    const refusal =
      setting === undefined ? `${name} offers no ${settingId} now.` : SettingsModel.refusal(setting, value)
    return refusal === undefined ? change(settingId, value) : providerError("setting-rejected", title, refusal)
  })

/** A change that the agent has refused, in the words of other settings. */
export const refusedByAgent = (error: ProviderError): ProviderError => {
  const { cause, code, evidence } = error.problem
  return code === "request-failed" ? providerError("setting-rejected", title, cause, { evidence }) : error
}
