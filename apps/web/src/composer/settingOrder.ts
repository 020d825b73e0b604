/** What of a session's settings is offered, and in which order. Pure; categories are hints for placing and nothing else. */
import { inText, revealProse } from "@signalbox/contracts/Invisible"
import type { SessionSetting, SettingChoice, SettingValue } from "@signalbox/contracts/SessionSetting"

/** A setting that people can change. */
export type Offered = Exclude<SessionSetting, { readonly type: "unknown" }>

/**
 * In the agent's order, which is its order of importance; what belongs to the model stands beside it. Kinds that we do not know are left to
 * the agent. So is a second setting under an id that is taken.
 */
export const offeredSettings = (settings: ReadonlyArray<SessionSetting>): ReadonlyArray<Offered> => {
  const ids = new Set<string>()
  const offered = settings
    .filter((setting): setting is Offered => {
      if (setting.type === "unknown" || ids.has(setting.id)) return false
      ids.add(setting.id)
      return true
    })
    .map(readable)
  const model = firstOf(offered, "model")
  if (model === undefined) return offered
  const besides = offered.filter(({ category }) => category === "model_config")
  return offered
    .filter(({ category }) => category !== "model_config")
    .flatMap((setting) => (setting === model ? [setting, ...besides] : [setting]))
}

/** The setting with what hides in the agent's words shown. They stand in titles and labels too, where nothing can be drawn. */
const readable = (setting: Offered): Offered => {
  const { description, name } = setting
  const words = { name: shown(name), ...(description !== undefined && { description: shown(description) }) }
  if (setting.type === "boolean") return { ...setting, ...words }
  const groups = setting.groups.map((group) => ({
    ...(group.name !== undefined && { name: shown(group.name) }),
    choices: group.choices.map((choice) => ({
      value: choice.value,
      name: shown(choice.name),
      ...(choice.description !== undefined && { description: shown(choice.description) })
    }))
  }))
  return { ...setting, ...words, groups }
}

const shown = (text: string): string => inText(revealProse(text))

/** The first setting of a category: it stands for all settings that share the category. */
export const firstOf = (settings: ReadonlyArray<Offered>, category: string): Offered | undefined =>
  settings.find((setting) => setting.category === category)

/** The choice that a value means; undefined for a value that is not on offer, which agents are known to have. */
export const choiceOf = (setting: Offered, value: SettingValue | undefined): SettingChoice | undefined =>
  setting.type === "select"
    ? setting.groups.flatMap(({ choices }) => choices).find((choice) => choice.value === value)
    : undefined

/** A value as people read it. */
export const valueWords = (setting: Offered, value: SettingValue | undefined): string => {
  if (setting.type === "boolean") return value === true ? "on" : "off"
  return choiceOf(setting, value)?.name ?? (typeof value === "string" && value !== "" ? shown(value) : "not reported")
}

/** Whether the agent has a value that its own list does not know. */
export const isOutside = (setting: Offered, value: SettingValue | undefined): boolean =>
  setting.type === "select" && typeof value === "string" && choiceOf(setting, value) === undefined
