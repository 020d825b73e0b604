/** The settings of the agent that suggests edits: what it offers, what it has, and what people choose. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import type { Problem } from "@signalbox/contracts/Problem"
import type { SettingValue } from "@signalbox/contracts/SessionSetting"
import { useState } from "react"
import { choiceOf, type Offered, offeredSettings, valueWords } from "../../composer/settingOrder.ts"
import { problemOf } from "../../connection/commands.ts"
import { setSuggestionSetting } from "../../connection/suggestions.ts"
import { Dialog } from "../../design/Dialog.tsx"
import { useScope } from "../../design/scope.ts"
import { ProblemCard } from "../../problems/ProblemCard.tsx"
import { proseText } from "../../text/Revealed.tsx"
import type { Status } from "./Status.ts"
import styles from "./Suggestions.module.css"
import { TurnButton } from "./TurnButton.tsx"

const SettingsDialog = (props: {
  readonly threadId: ThreadId
  readonly agent: string
  readonly settings: Status["settings"]
  readonly chosen: Status["chosen"]
  readonly onClose: () => void
}) => {
  const { agent, chosen, onClose, settings, threadId } = props
  const [asked, ask] = useState<{ readonly id: string; readonly value: SettingValue }>()
  const [problem, fail] = useState<Problem>()
  const mayNot = useScope("operate")
  const name = proseText(agent)
  const choose = ({ id }: Offered, value: SettingValue) => {
    // The agent gets one change after the other.
    if (asked !== undefined || mayNot !== undefined) return
    ask({ id, value })
    fail(undefined)
    setSuggestionSetting(threadId, id, value).then(
      () => ask(undefined),
      (error: unknown) => {
        ask(undefined)
        fail(problemOf(error))
      }
    )
  }
  const remarkOf = (setting: Offered): string | undefined => {
    if (asked?.id === setting.id) return `${name} hasn’t confirmed it yet`
    const wanted = chosen[setting.id]
    return wanted === undefined || wanted === setting.value
      ? setting.description
      : `You chose ${valueWords(setting, wanted)}; ${name} has ${valueWords(setting, setting.value)}.`
  }
  return (
    <Dialog title={`Settings of ${name}`} onClose={onClose}>
      <div className={styles["sent"]}>
        {offeredSettings(settings).map((setting) => (
          <label key={setting.id} className={styles["setting"]}>
            <span>{setting.name}</span>
            <Control
              setting={setting}
              value={asked?.id === setting.id ? asked.value : setting.value}
              isBusy={asked !== undefined}
              mayNot={mayNot}
              onChoose={(value) => choose(setting, value)}
            />
            <span className="quiet">{remarkOf(setting)}</span>
          </label>
        ))}
        <p className="quiet">They hold for this folder, and for the next sessions of {name} here.</p>
        <p className="quiet">
          Suggestions in all pages: <TurnButton isOn onFailed={fail} />
        </p>
        {problem !== undefined && <ProblemCard problem={problem} />}
      </div>
    </Dialog>
  )
}

const Control = (props: {
  readonly setting: Offered
  readonly value: SettingValue | undefined
  readonly isBusy: boolean
  readonly mayNot: string | undefined
  readonly onChoose: (value: SettingValue) => void
}) => {
  const { isBusy, mayNot, onChoose, setting, value } = props
  const common = { "aria-busy": isBusy, disabled: mayNot !== undefined, title: mayNot }
  if (setting.type === "boolean")
    return (
      <input
        {...common}
        type="checkbox"
        checked={value === true}
        onChange={(event) => onChoose(event.target.checked)}
      />
    )
  // Nothing else of a group is sure to be its own.
  const groups = setting.groups.map((group, place) => ({ ...group, place }))
  return (
    <select
      {...common}
      className="field"
      value={typeof value === "string" ? value : ""}
      onChange={(event) => onChoose(event.target.value)}
    >
      {choiceOf(setting, value) === undefined && (
        <option value={typeof value === "string" ? value : ""}>{valueWords(setting, value)}</option>
      )}
      {groups.map(({ choices, name, place }) => {
        const options = choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.name}
          </option>
        ))
        return name === undefined ? (
          options
        ) : (
          <optgroup key={place} label={name}>
            {options}
          </optgroup>
        )
      })}
    </select>
  )
}

export default SettingsDialog
