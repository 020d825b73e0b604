/** Settings that people chose in earlier threads of an agent in a folder. A new thread there begins with them. */
import type { RuntimeEventOf } from "@signalbox/contracts/ProviderRuntimeEvent"
import type { SessionSetting, SettingValue } from "@signalbox/contracts/SessionSetting"
import type { Draft } from "./ThreadDraft.ts"
import { place } from "./ThreadSteps.ts"

type Configured = RuntimeEventOf<"session.configured">

/**
 * Notes in the transcript which remembered settings the first session has, since nobody chose them here. A setting that
 * the agent no longer offers is forgotten. Returns the other choices that could not be set.
 */
export const settle = (draft: Draft, event: Configured): Configured["skipped"] => {
  const { remembered } = draft
  if (remembered === undefined) return event.skipped
  delete draft.remembered
  const isRemembered = ({ settingId, value }: Choice) => remembered[settingId] === value
  const applied = event.applied.filter(isRemembered).map((choice) => wordsOf(draft.settings, choice))
  if (applied.length > 0)
    draft.transcript.put({
      ...place(event, `${event.eventId}:remembered`),
      type: "warning",
      message: `As chosen last in this folder: ${applied.join(", ")}.`
    })
  const gone = new Set(event.skipped.filter(isRemembered).map(({ settingId }) => settingId))
  draft.desired = Object.fromEntries(
    Object.entries(draft.desired).filter(
      ([settingId, value]) => !gone.has(settingId) || remembered[settingId] !== value
    )
  )
  return event.skipped.filter((choice) => !isRemembered(choice))
}

interface Choice {
  readonly settingId: string
  readonly value: SettingValue
}

/** The text of settings in the agent's words: `Mode “Plan”`, `Fast mode on`. */
const wordsOf = (settings: ReadonlyArray<SessionSetting>, { settingId, value }: Choice): string => {
  const setting = settings.find(({ id }) => id === settingId)
  const name = setting?.name ?? settingId
  if (typeof value === "boolean") return `${name} ${value ? "on" : "off"}`
  const choices = setting?.type === "select" ? setting.groups.flatMap((group) => group.choices) : []
  return `${name} “${choices.find((choice) => choice.value === value)?.name ?? value}”`
}
