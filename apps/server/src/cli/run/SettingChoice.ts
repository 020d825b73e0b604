/**
 * Finds what `--mode`, `--model` and `--set` mean among the settings that a session offers. Mode and model are found by
 * category, then by id; other settings by id. Nothing is guessed: a setting that isn't offered is a usage error that
 * names the offered ones.
 */
import type { SessionSetting, SettingValue } from "@signalbox/contracts/SessionSetting"
import * as Result from "effect/Result"

export interface Wish {
  readonly flag: "--mode" | "--model" | "--set"
  /** Absent for mode and model. */
  readonly settingId?: string
  readonly value: string
}

export interface Choice {
  readonly settingId: string
  readonly value: SettingValue
}

export interface NotOffered {
  readonly message: string
  readonly offered: ReadonlyArray<string>
}

/** `ID=VALUE`; a value may hold further equals signs. */
export const parseSet = (text: string): Wish | undefined => {
  const at = text.indexOf("=")
  return at < 1 ? undefined : { flag: "--set", settingId: text.slice(0, at), value: text.slice(at + 1) }
}

/** Sorts wishes: the model first, then the mode, then all others. Another model may bring other settings. */
export const inOrder = (wishes: ReadonlyArray<Wish>): ReadonlyArray<Wish> => [
  ...wishes.filter(({ flag }) => flag === "--model"),
  ...wishes.filter(({ flag }) => flag === "--mode"),
  ...wishes.filter(({ flag }) => flag === "--set")
]

export const choose = (settings: ReadonlyArray<SessionSetting>, wish: Wish): Result.Result<Choice, NotOffered> => {
  const setting = find(settings, wish)
  if (setting === undefined) return Result.fail(noSuchSetting(settings, wish))
  const { id } = setting
  if (setting.type === "boolean") {
    if (wish.value === "true" || wish.value === "false") {
      return Result.succeed({ settingId: id, value: wish.value === "true" })
    }
    return Result.fail({ message: `${id} is either true or false, not ${quoted(wish.value)}.`, offered: [] })
  }
  if (setting.type === "unknown") {
    return Result.fail({ message: `${id} is of a kind that Signalbox does not know.`, offered: [] })
  }
  const choices = setting.groups.flatMap((group) => group.choices)
  if (choices.some(({ value }) => value === wish.value)) return Result.succeed({ settingId: id, value: wish.value })
  return Result.fail({
    message: `${nameOf(wish)} ${quoted(wish.value)} is not offered by this agent. It offers:`,
    offered: choices.map(({ name, value }) => (name === value ? value : `${value}  (${name})`))
  })
}

const find = (settings: ReadonlyArray<SessionSetting>, wish: Wish): SessionSetting | undefined => {
  if (wish.settingId !== undefined) return settings.find(({ id }) => id === wish.settingId)
  const wanted = wish.flag === "--mode" ? "mode" : "model"
  return settings.find(({ category }) => category === wanted) ?? settings.find(({ id }) => id === wanted)
}

const noSuchSetting = (settings: ReadonlyArray<SessionSetting>, wish: Wish): NotOffered => {
  if (wish.settingId === undefined)
    return { message: `This agent offers no choice of ${nameOf(wish).toLowerCase()}.`, offered: [] }
  if (settings.length === 0)
    return { message: `This agent offers no settings; ${quoted(wish.settingId)} is unknown.`, offered: [] }
  return {
    message: `${quoted(wish.settingId)} is not a setting of this session. Its settings:`,
    offered: settings.map(({ id, name }) => (id === name ? id : `${id}  (${name})`))
  }
}

const nameOf = (wish: Wish): string =>
  wish.flag === "--mode" ? "Mode" : wish.flag === "--model" ? "Model" : `${wish.settingId}:`

const quoted = (text: string): string => JSON.stringify(text)
