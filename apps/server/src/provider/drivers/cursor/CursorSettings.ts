/**
 * Cleans names of Cursor's settings, which are made for its own screens: `:icon-brain:`, or `Fast` with an invisible
 * space.
 */
import type { SessionSetting, SettingChoice } from "@signalbox/contracts/SessionSetting"

const icon = /:icon-[\w-]+:/g
/** Zero-width space, word joiner, byte order mark. Joiners stay: scripts and emoji need them. */
const invisible = /[\u200b\u2060\ufeff]/g

const clean = (name: string): string => name.replace(icon, "").replace(invisible, "").trim()

/** The name for a value whose own name is empty. Cursor's switches are selects of `true` and `false`. */
const nameOf = (value: string): string => (value === "true" ? "On" : value === "false" ? "Off" : value)

const tidyChoice = (choice: SettingChoice): SettingChoice => {
  const name = clean(choice.name) || nameOf(choice.value)
  return name === choice.name ? choice : { ...choice, name }
}

export const tidy = (setting: SessionSetting): SessionSetting => {
  if (setting.type === "unknown") return setting
  const name = clean(setting.name) || setting.id
  if (setting.type === "boolean") return { ...setting, name }
  return {
    ...setting,
    name,
    groups: setting.groups.map((group) => ({ ...group, choices: group.choices.map(tidyChoice) }))
  }
}
