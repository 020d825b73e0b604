import type { SettingValue } from "@signalbox/contracts/SessionSetting"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import { useId, useRef } from "react"
import { keyOf } from "../browser/shortcuts.ts"
import { useScope } from "../design/scope.ts"
import { MoreSettings } from "./MoreSettings.tsx"
import pickerStyles from "./Picker.module.css"
import { SettingButton } from "./SettingButton.tsx"
import { SettingChoices } from "./SettingChoices.tsx"
import { firstOf, type Offered, offeredSettings } from "./settingOrder.ts"
import styles from "./SettingPickers.module.css"
import { useFitting } from "./useFitting.ts"
import { more, useFloating } from "./useFloating.ts"
import { useSettingChange } from "./useSettingChange.ts"
import { useSettingShortcuts } from "./useSettingShortcuts.ts"

/**
 * What the session offers, in its order: what has room in one row, and the rest behind *more settings*. One floating list serves all. So a
 * set that changes with a choice takes neither the list nor the focus away.
 */
export const SettingPickers = (props: {
  readonly view: ThreadView
  /** Resolves to whether our server has taken it. */
  readonly set: (settingId: string, value: SettingValue) => Promise<boolean>
  /** Moves the focus on when what had it is gone. */
  readonly leave: () => void
}) => {
  const { leave, set, view } = props
  const { provider, session } = view
  const row = useRef<HTMLFieldSetElement>(null)
  const panelId = useId()
  const change = useSettingChange(view)
  const offered = offeredSettings(view.settings)
  const fits = useFitting(row, offered.map(({ id }) => id).join("\n"))
  const hidden = offered.slice(fits)
  const { anchor, close, closed, floating, keep, open, setting, show } = useFloating(offered, hidden, leave)

  const mayNot = useScope("operate")
  const pick = (target: Offered, value: SettingValue) => {
    if (mayNot !== undefined) return
    change.ask(target, value)
    void set(target.id, value).then((taken) => {
      if (!taken) change.forget(target)
    })
  }
  useSettingShortcuts(mayNot === undefined ? offered : [], (settingId) => show({ settingId }))

  if (offered.length === 0 && session.state === "starting")
    return (
      <div className={styles["pickers"]}>
        <span className={`${styles["note"]} meta cut`}>
          What {provider.name} offers to choose appears when it has started.
        </span>
      </div>
    )
  return (
    <fieldset ref={row} className={styles["pickers"]} aria-label={`Settings of ${provider.name}`}>
      {offered.map((setting, index) => (
        <SettingButton
          key={setting.id}
          buttonRef={keep(setting.id)}
          setting={setting}
          change={change}
          unseen={index >= fits}
          mayNot={mayNot}
          shortcut={firstOf(offered, setting.category ?? "") === setting ? keyOf(setting.category) : undefined}
          panelId={anchor === setting.id ? panelId : undefined}
          onOpen={() => show({ settingId: setting.id })}
          onClose={close}
          onToggle={(value) => pick(setting, value)}
        />
      ))}
      {/* It keeps its place when it isn't needed, so that its width is known. */}
      <button
        ref={keep(more)}
        type="button"
        data-more=""
        className={`${pickerStyles["picker"]} ${hidden.length === 0 ? styles["unseen"] : ""}`}
        aria-haspopup="dialog"
        aria-expanded={anchor === more}
        aria-label={`${hidden.length} more ${hidden.length === 1 ? "setting" : "settings"}`}
        title={mayNot ?? "More settings"}
        aria-disabled={mayNot === undefined ? undefined : true}
        onClick={() => {
          if (mayNot !== undefined) return
          if (anchor === more) close()
          else show({})
        }}
      >
        {hidden.length || offered.length} more
      </button>
      <div
        ref={floating}
        id={panelId}
        popover="auto"
        data-floating=""
        className={pickerStyles["floating"]}
        onBlur={(event) => {
          // A press beside it closes it, and so does whatever else takes the focus elsewhere.
          if (event.relatedTarget !== null && !event.currentTarget.contains(event.relatedTarget))
            floating.current?.hidePopover()
        }}
        onToggle={(event) => {
          if (event.newState === "closed") closed()
        }}
      >
        {open && setting?.type === "select" && (
          <SettingChoices
            key={setting.id}
            setting={setting}
            change={change}
            onLeave={close}
            onPick={(value) => {
              if (value !== change.valueOf(setting)) pick(setting, value)
              if (open.fromMore === true && hidden.includes(setting)) show({})
              else close()
            }}
          />
        )}
        {open && open.settingId === undefined && (
          <MoreSettings
            settings={hidden}
            change={change}
            onOpen={(settingId) => show({ settingId, fromMore: true })}
            onToggle={pick}
          />
        )}
      </div>
    </fieldset>
  )
}
