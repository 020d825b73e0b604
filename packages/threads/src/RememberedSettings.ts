/** Settings that people had chosen in earlier threads of an agent in a folder. A new thread there begins with them. */
import type { RuntimeEventOf } from "@signalbox/contracts/ProviderRuntimeEvent"
import type { SessionSetting, SettingValue } from "@signalbox/contracts/SessionSetting"
import type { Draft } from "./ThreadDraft.ts"
import { place } from "./ThreadSteps.ts"

type Configured = RuntimeEventOf<"session.configured">

/**
 * Says in the transcript which of them the thread's first session has, since nobody chose them here. What the agent does not offer any
 * more is no wish of anybody: it is forgotten, and left out of what this returns, the choices that could not be put in place.
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

/** `Mode “Plan”`, `Fast mode on`: as the agent calls them. */
const wordsOf = (settings: ReadonlyArray<SessionSetting>, { settingId, value }: Choice): string => {
  const setting = settings.find(({ id }) => id === settingId)
  const name = setting?.name ?? settingId
  if (typeof value === "boolean") return `${name} ${value ? "on" : "off"}`
  const choices = setting?.type === "select" ? setting.groups.flatMap((group) => group.choices) : []
  return `${name} “${choices.find((choice) => choice.value === value)?.name ?? value}”`
}
