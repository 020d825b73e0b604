import type { SettingValue } from "@signalbox/contracts/SessionSetting"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import { useState } from "react"
import { type Offered, valueWords } from "./settingOrder.ts"

interface Asked {
  readonly settingId: string
  readonly value: SettingValue
}

interface UnderWay {
  /** The changes in progress, oldest first. The agent gets them one after the other. */
  readonly asked: ReadonlyArray<Asked>
  /** The settings at the last update of this state. */
  readonly settings: ThreadView["settings"]
  readonly refusal: string | undefined
}

export interface SettingChange {
  /** The value to show: the requested one while a change is in progress, or else the agent's. */
  readonly valueOf: (setting: Offered) => SettingValue | undefined
  /** Why that value is not certain yet. Undefined if it is. */
  readonly pendingOf: (setting: Offered) => string | undefined
  /**
   * A text about a setting whose value is not the one that people chose: the agent changed it itself, or took another
   * one.
   */
  readonly insteadOf: (setting: Offered) => string | undefined
  readonly ask: (setting: Offered, value: SettingValue) => void
  /** Forgets a change that Signalbox's server refused. */
  readonly forget: (setting: Offered) => void
}

/** The id of the latest entry about a refusal. */
const lastRefusal = ({ items }: ThreadView): string | undefined =>
  items.findLast(({ itemId, type }) => type === "problem" && itemId.startsWith("setting:"))?.itemId

/**
 * The changes that are still in progress after news of the agent. An answer is a whole new set, or a refusal, and each
 * answers the oldest change. Answers may come together: a change whose value is in the set is answered, and so are all
 * before it.
 */
export const unanswered = (asked: ReadonlyArray<Asked>, settings: ThreadView["settings"]): ReadonlyArray<Asked> => {
  const found = asked.findLastIndex(({ settingId, value }) =>
    settings.some((setting) => setting.id === settingId && valueIs(setting, value))
  )
  return asked.slice(Math.max(0, found) + 1)
}

const valueIs = (setting: ThreadView["settings"][number], value: SettingValue): boolean =>
  setting.type !== "unknown" && setting.value === value

/** Settings between the choice of a person and the agent's report, which counts. */
export const useSettingChange = (view: ThreadView): SettingChange => {
  const { desired, provider, session, settings } = view
  const refusal = lastRefusal(view)
  const [underWay, setUnderWay] = useState<UnderWay>({ asked: [], settings, refusal })
  const ready = session.state === "ready"
  if (underWay.settings !== settings || underWay.refusal !== refusal)
    setUnderWay({ asked: ready ? unanswered(underWay.asked, settings) : [], settings, refusal })

  const askedFor = ({ id }: Offered) => underWay.asked.findLast(({ settingId }) => settingId === id)
  const valueOf = (setting: Offered) =>
    askedFor(setting)?.value ?? (ready ? setting.value : (desired[setting.id] ?? setting.value))
  return {
    valueOf,
    pendingOf: (setting) => {
      if (valueOf(setting) === setting.value) return undefined
      return ready ? `${provider.name} hasn’t confirmed it yet` : `from the next start of ${provider.name} on`
    },
    insteadOf: (setting) => {
      const wanted = desired[setting.id]
      if (!ready || wanted === undefined || wanted === setting.value || askedFor(setting) !== undefined)
        return undefined
      return `You chose ${valueWords(setting, wanted)}; ${provider.name} has ${valueWords(setting, setting.value)}.`
    },
    ask: (setting, value) =>
      setUnderWay((before) => ({ ...before, asked: [...before.asked, { settingId: setting.id, value }] })),
    forget: (setting) =>
      setUnderWay((before) => ({
        ...before,
        asked: before.asked.filter(({ settingId }) => settingId !== setting.id)
      }))
  }
}
