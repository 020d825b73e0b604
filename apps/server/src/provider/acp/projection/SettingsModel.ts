/**
 * The settings of a session: one model for the three forms in which agents offer them. Config options replace all
 * others. Otherwise modes count, and the models that never became a part of the protocol (ACP v1,
 * session-config-options).
 */
import type { LegacyModels } from "@signalbox/acp/AcpClient"
import type { SessionConfigOption, SessionModeState } from "@signalbox/acp/AcpSchema"
import type { SessionSetting, SettingGroup, SettingValue } from "@signalbox/contracts/SessionSetting"
import { compact } from "../../../base/Json.ts"

/** The settings that a session result offers. */
export interface Offer {
  readonly configOptions?: ReadonlyArray<SessionConfigOption> | null
  readonly modes?: SessionModeState | null
  readonly models?: LegacyModels | null
}

/** The method that changes a setting. */
export type Route = "config" | "mode" | "model"

/** Ids of settings, which are also names of categories. */
const modeId = "mode"
const modelId = "model"

/** The settings of an offer, in the agent's order. */
export const fromOffer = (offer: Offer): ReadonlyArray<SessionSetting> => {
  if (offer.configOptions) return fromConfigOptions(offer.configOptions)
  const settings: Array<SessionSetting> = []
  if (offer.modes) settings.push(fromModes(offer.modes))
  if (offer.models && offer.models.availableModels.length > 0) settings.push(fromModels(offer.models))
  return settings
}

/** The method that changes a setting. `byConfig`: the offer has config options. */
export const routeOf = (settingId: string, byConfig: boolean): Route =>
  byConfig ? "config" : settingId === modelId ? "model" : "mode"

export const fromConfigOptions = (options: ReadonlyArray<SessionConfigOption>): ReadonlyArray<SessionSetting> => {
  const settings = options.map(fromConfigOption)
  if (!settings.some(({ category, id }) => id === modelId && category === modelId)) return settings
  // A provider is no model, but agents file it in the model's category: it belongs to the model's options.
  return settings.map((setting) =>
    setting.category === modelId && setting.id !== modelId ? { ...setting, category: "model_config" } : setting
  )
}

/** The setting for a config option. Types are distinguished by hand, since an unknown type has no known members. */
const fromConfigOption = (option: SessionConfigOption): SessionSetting => {
  const common = {
    id: option.id,
    name: option.name,
    ...(typeof option.description === "string" && { description: option.description }),
    ...(typeof option.category === "string" && { category: option.category })
  }
  if (isSelect(option)) {
    const { currentValue, options } = option
    return {
      type: "select",
      ...common,
      ...(currentValue !== undefined && { value: currentValue }),
      groups: groupsOf(options)
    }
  }
  if (isBoolean(option)) return { type: "boolean", ...common, value: option.currentValue }
  return { type: "unknown", ...common, raw: compact(option) }
}

type Select = Extract<SessionConfigOption, { readonly type: "select" }>
type Boolean = Extract<SessionConfigOption, { readonly type: "boolean" }>

const isSelect = (option: SessionConfigOption): option is Select => option.type === "select"
const isBoolean = (option: SessionConfigOption): option is Boolean => option.type === "boolean"

const groupsOf = (options: Select["options"]): ReadonlyArray<SettingGroup> => {
  const groups: Array<SettingGroup> = []
  const flat: Array<SettingGroup["choices"][number]> = []
  for (const option of options) {
    if ("options" in option) groups.push({ name: option.name, choices: option.options.map(choiceOf) })
    else flat.push(choiceOf(option))
  }
  return flat.length > 0 || groups.length === 0 ? [{ choices: flat }, ...groups] : groups
}

const choiceOf = (option: { readonly value: string; readonly name: string; readonly description?: string | null }) => ({
  value: option.value,
  name: option.name,
  ...(typeof option.description === "string" && { description: option.description })
})

const fromModes = (modes: SessionModeState): SessionSetting => ({
  type: "select",
  id: modeId,
  name: "Mode",
  category: "mode",
  value: modes.currentModeId,
  groups: [{ choices: modes.availableModes.map(({ id, ...rest }) => choiceOf({ value: id, ...rest })) }]
})

const fromModels = (models: LegacyModels): SessionSetting => ({
  type: "select",
  id: modelId,
  name: "Model",
  category: "model",
  ...(typeof models.currentModelId === "string" && { value: models.currentModelId }),
  groups: [
    {
      choices: models.availableModels.map(({ description, modelId: value, name }) =>
        choiceOf({ value, name: name ?? value, ...(typeof description === "string" && { description }) })
      )
    }
  ]
})

/** The settings with one value changed, for agents that confirm a change without its settings. */
export const withValue = (
  settings: ReadonlyArray<SessionSetting>,
  settingId: string,
  value: SettingValue
): ReadonlyArray<SessionSetting> =>
  settings.map((setting) => {
    if (setting.id !== settingId) return setting
    if (setting.type === "select" && typeof value === "string") return { ...setting, value }
    if (setting.type === "boolean" && typeof value === "boolean") return { ...setting, value }
    return setting
  })

/** The setting that `current_mode_update` changes. */
export const modeSetting = (settings: ReadonlyArray<SessionSetting>): SessionSetting | undefined =>
  settings.find(({ id }) => id === modeId) ?? settings.find(({ category }) => category === "mode")

/** The values that a setting offers. Undefined if it is not a choice among values. */
const choicesOf = (setting: SessionSetting): ReadonlyArray<string> | undefined =>
  setting.type === "select" ? setting.groups.flatMap(({ choices }) => choices.map(({ value }) => value)) : undefined

/** The reason why a value can't be set. Undefined if it can. */
export const refusal = (setting: SessionSetting, value: SettingValue): string | undefined => {
  switch (setting.type) {
    case "unknown":
      return `${setting.name} is of a kind that we cannot set.`
    case "boolean":
      return typeof value === "boolean" ? undefined : `${setting.name} is either on or off.`
    case "select": {
      const choices = choicesOf(setting) ?? []
      if (typeof value === "string" && choices.includes(value)) return undefined
      return `${setting.name} offers ${choices.join(", ") || "nothing"}; not ${String(value)}.`
    }
  }
}

export const isModel = (setting: SessionSetting): boolean => setting.id === modelId || setting.category === "model"
