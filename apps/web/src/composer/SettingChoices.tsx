import type { SettingValue } from "@signalbox/contracts/SessionSetting"
import { useId } from "react"
import { ChoiceList } from "./ChoiceList.tsx"
import styles from "./Picker.module.css"
import { isOutside, type Offered } from "./settingOrder.ts"
import type { SettingChange } from "./useSettingChange.ts"

/** The choices of one setting, under what the agent says about it. */
export const SettingChoices = (props: {
  readonly setting: Extract<Offered, { readonly type: "select" }>
  readonly change: SettingChange
  readonly onPick: (value: SettingValue) => void
  readonly onLeave: () => void
}) => {
  const { change, onLeave, onPick, setting } = props
  const listId = useId()
  const value = change.valueOf(setting)
  const instead = change.insteadOf(setting)
  return (
    <>
      <div className={styles["head"]}>
        <b>{setting.name}</b>
        {setting.description !== undefined && setting.description !== "" && <p>{setting.description}</p>}
        {isOutside(setting, value) && (
          <p>
            Now <code>{String(value)}</code>, which is not among what is offered.
          </p>
        )}
        {instead !== undefined && <p>{instead}</p>}
      </div>
      <ChoiceList
        id={listId}
        label={setting.name}
        groups={setting.groups}
        value={typeof value === "string" ? value : undefined}
        onPick={onPick}
        onLeave={onLeave}
      />
    </>
  )
}
