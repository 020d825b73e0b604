import type { SettingValue } from "@signalbox/contracts/SessionSetting"
import { type KeyboardEvent, useId, useLayoutEffect, useRef } from "react"
import styles from "./MoreSettings.module.css"
import pickerStyles from "./Picker.module.css"
import { remarkOf } from "./SettingButton.tsx"
import { type Offered, valueWords } from "./settingOrder.ts"
import type { SettingChange } from "./useSettingChange.ts"

/** The settings that have no room in the composer, one a line. The arrows go from one to the next. */
export const MoreSettings = (props: {
  readonly settings: ReadonlyArray<Offered>
  readonly change: SettingChange
  readonly onOpen: (settingId: string) => void
  readonly onToggle: (setting: Offered, value: SettingValue) => void
}) => {
  const { change, onOpen, onToggle, settings } = props
  const list = useRef<HTMLUListElement>(null)
  const titleId = useId()
  // When it opens, and when the setting that had the focus has gone from here.
  const opened = useRef(false)
  useLayoutEffect(() => {
    if (!opened.current || document.activeElement === document.body) list.current?.querySelector("button")?.focus()
    opened.current = true
  })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return
    event.preventDefault()
    const stops = [...(list.current?.querySelectorAll("button") ?? [])]
    const at = stops.findIndex((stop) => stop === document.activeElement)
    stops[Math.max(0, Math.min(stops.length - 1, at + (event.key === "ArrowDown" ? 1 : -1)))]?.focus()
  }
  return (
    <>
      <div className={pickerStyles["head"]}>
        <b id={titleId}>More settings</b>
      </div>
      <ul ref={list} className={pickerStyles["list"]} aria-labelledby={titleId}>
        {settings.map((setting) => {
          const value = change.valueOf(setting)
          const remark = remarkOf(setting, change)
          const words = valueWords(setting, value)
          const content = (
            <>
              <span>{setting.name}</span>
              <b>{words}</b>
              {(remark ?? setting.description ?? "") !== "" && (
                <span className={styles["about"]}>{remark ?? setting.description}</span>
              )}
            </>
          )
          return (
            <li key={setting.id}>
              {setting.type === "boolean" ? (
                <button
                  type="button"
                  role="switch"
                  aria-checked={value === true}
                  className={styles["setting"]}
                  onClick={() => onToggle(setting, value !== true)}
                  onKeyDown={onKeyDown}
                >
                  {content}
                </button>
              ) : (
                <button
                  type="button"
                  aria-haspopup="listbox"
                  className={styles["setting"]}
                  onClick={() => onOpen(setting.id)}
                  onKeyDown={onKeyDown}
                >
                  {content}
                </button>
              )}
            </li>
          )
        })}
      </ul>
    </>
  )
}
