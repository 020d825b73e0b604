import type { SettingValue } from "@signalbox/contracts/SessionSetting"
import type { Ref } from "react"
import { Icon } from "../design/Icon.tsx"
import pickerStyles from "./Picker.module.css"
import { isOutside, type Offered, valueWords } from "./settingOrder.ts"
import styles from "./SettingPickers.module.css"
import type { SettingChange } from "./useSettingChange.ts"

/** Mode and model speak for themselves; other values need their name beside them. */
const speaksForItself = ({ category, id }: Offered): boolean =>
  [category, id].some((hint) => hint === "mode" || hint === "model")

/** What is to be said of a value beside the value. */
export const remarkOf = (setting: Offered, change: SettingChange): string | undefined =>
  change.pendingOf(setting) ??
  change.insteadOf(setting) ??
  (isOutside(setting, change.valueOf(setting)) ? "not among what is offered" : undefined)

/** A choice that reads as words, *Effort **High***, or a switch. The list of a choice opens with the arrow keys too. */
export const SettingButton = (props: {
  readonly setting: Offered
  readonly change: SettingChange
  readonly buttonRef: Ref<HTMLButtonElement>
  /** It has no room: kept for its width only. */
  readonly unseen: boolean
  /** Why this page may not choose here. */
  readonly mayNot: string | undefined
  /** The key that opens it, as it is written. */
  readonly shortcut: string | undefined
  /** The id of its list, while that is open. */
  readonly panelId: string | undefined
  readonly onOpen: () => void
  readonly onClose: () => void
  readonly onToggle: (value: SettingValue) => void
}) => {
  const { buttonRef, change, mayNot, onClose, onOpen, onToggle, panelId, setting, shortcut, unseen } = props
  const value = change.valueOf(setting)
  const words = valueWords(setting, value)
  const remark = remarkOf(setting, change)
  const title = mayNot ?? [setting.name, remark ?? setting.description, shortcut].filter(Boolean).join(" · ")
  const common = {
    ref: buttonRef,
    type: "button",
    "data-fits": setting.id,
    "data-pending": change.pendingOf(setting) === undefined ? undefined : "",
    "aria-busy": change.pendingOf(setting) !== undefined,
    "aria-disabled": mayNot === undefined ? undefined : true,
    title
  } as const
  const unseenStyle = unseen ? (styles["unseen"] ?? "") : ""
  if (setting.type === "boolean")
    return (
      <button
        {...common}
        role="switch"
        aria-checked={value === true}
        aria-label={remark === undefined ? setting.name : `${setting.name}, ${remark}`}
        className={`${pickerStyles["picker"]} ${unseenStyle}`}
        onClick={() => mayNot === undefined && onToggle(value !== true)}
      >
        {setting.name} <b>{words}</b>
      </button>
    )
  return (
    <button
      {...common}
      className={`${pickerStyles["picker"]} ${unseenStyle}`}
      aria-haspopup="listbox"
      aria-expanded={panelId !== undefined}
      aria-controls={panelId}
      aria-label={`${setting.name}: ${words}${remark === undefined ? "" : `, ${remark}`}`}
      onClick={() => {
        if (mayNot !== undefined) return
        if (panelId === undefined) onOpen()
        else onClose()
      }}
      onKeyDown={(event) => {
        if (mayNot !== undefined || event.altKey || (event.key !== "ArrowDown" && event.key !== "ArrowUp")) return
        event.preventDefault()
        onOpen()
      }}
    >
      {!speaksForItself(setting) && words !== setting.name && <span>{setting.name}</span>}
      <b className="cut">{words}</b>
      {isOutside(setting, value) && <span className={styles["mark"]}>?</span>}
      <Icon name="down" className={pickerStyles["chevron"] ?? ""} />
    </button>
  )
}
