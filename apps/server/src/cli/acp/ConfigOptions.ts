/** The settings of a thread's session as an editor gets them: config options, and modes for editors without these. Pure. */
import type * as Acp from "@signalbox/acp/AcpSchema"
import type { SessionSetting, SettingGroup, SettingValue } from "@signalbox/contracts/SessionSetting"
import type { ThreadView } from "@signalbox/contracts/ThreadView"

type Choices = Pick<ThreadView, "desired" | "session" | "settings">

/** The options in the agent's order. `booleans`: whether the editor can show a switch. */
export const optionsOf = (view: Choices, booleans: boolean): ReadonlyArray<Acp.SessionConfigOption> =>
  view.settings.flatMap((setting): ReadonlyArray<Acp.SessionConfigOption> => {
    const { category, description, id, name } = setting
    const common = {
      id,
      name,
      ...(description !== undefined && { description }),
      ...(category !== undefined && { category })
    }
    const value = valueOf(view, setting)
    if (setting.type === "boolean")
      return booleans ? [{ ...common, type: "boolean", currentValue: value === true }] : []
    if (setting.type === "unknown") return []
    return [
      {
        ...common,
        type: "select",
        ...(typeof value === "string" && { currentValue: value }),
        options: choicesOf(setting.groups)
      }
    ]
  })

/** The value that counts: what the agent reports, or what it is to be set to when it is started again. */
const valueOf = ({ desired, session }: Choices, setting: SessionSetting): SettingValue | undefined => {
  if (setting.type === "unknown") return undefined
  return session.state === "ready" ? setting.value : (desired[setting.id] ?? setting.value)
}

const choicesOf = (groups: ReadonlyArray<SettingGroup>): Acp.SessionConfigSelectOptions => {
  const [first, ...more] = groups
  const options = ({ choices }: SettingGroup) =>
    choices.map(({ description, name, value }) => ({ value, name, ...(description !== undefined && { description }) }))
  if (first === undefined) return []
  if (more.length === 0 && first.name === undefined) return options(first)
  return groups.map((group, index) => ({
    group: group.name ?? String(index),
    name: group.name ?? "",
    options: options(group)
  }))
}

/** The setting that is the session's mode. */
export const modeSetting = ({ settings }: Pick<ThreadView, "settings">) =>
  settings.find((setting) => setting.type === "select" && setting.category === "mode")

export const modesOf = (view: Choices): Acp.SessionModeState | undefined => {
  const setting = modeSetting(view)
  if (setting?.type !== "select") return undefined
  const current = valueOf(view, setting)
  if (typeof current !== "string") return undefined
  return {
    currentModeId: current,
    availableModes: setting.groups.flatMap(({ choices }) =>
      choices.map(({ description, name, value }) => ({
        id: value,
        name,
        ...(description !== undefined && { description })
      }))
    )
  }
}
