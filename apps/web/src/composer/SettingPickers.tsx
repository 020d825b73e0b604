import type { SettingValue } from "@signalbox/contracts/SessionSetting"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import { useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useState } from "react"
import { hasCtrl, keyOf, shortcutOf } from "../browser/shortcuts.ts"
import { MoreSettings } from "./MoreSettings.tsx"
import pickerStyles from "./Picker.module.css"
import { placeAbove } from "../design/placeAbove.ts"
import { SettingButton } from "./SettingButton.tsx"
import { SettingChoices } from "./SettingChoices.tsx"
import { firstOf, type Offered, offeredSettings } from "./settingOrder.ts"
import styles from "./SettingPickers.module.css"
import { useFitting } from "./useFitting.ts"
import { useSettingChange } from "./useSettingChange.ts"

/** What floats above the row: the choices of one setting, or the settings that have no room in it. */
interface Floating {
  readonly settingId?: string
  /** The choices were opened from the other settings, and lead back to them. */
  readonly fromMore?: boolean
}

/** The button that leads to what has no room. */
const more = " more"

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
  const floating = useRef<HTMLDivElement>(null)
  const buttons = useRef(new Map<string, HTMLButtonElement>())
  const [open, setOpen] = useState<Floating>()
  const panelId = useId()
  const change = useSettingChange(view)
  const offered = offeredSettings(view.settings)
  const fits = useFitting(row, offered.map(({ id }) => id).join("\n"))
  const hidden = offered.slice(fits)
  const setting = offered.find(({ id }) => id === open?.settingId)
  // What has room changes with what is chosen, and under an open list, too.
  const placeOf = (id: string) => (hidden.some((it) => it.id === id) ? more : id)
  const anchor = open && (open.settingId === undefined ? more : placeOf(open.settingId))
  const gone = open !== undefined && (open.settingId === undefined ? hidden.length === 0 : setting === undefined)

  const show = (next: Floating) => {
    if (!floating.current?.matches(":popover-open")) floating.current?.showPopover()
    setOpen(next)
  }
  const close = () => {
    const button = buttons.current.get(anchor ?? "")
    floating.current?.hidePopover()
    button?.focus()
  }
  const closeAndLeave = useEffectEvent(() => {
    floating.current?.hidePopover()
    leave()
  })
  useLayoutEffect(() => {
    const button = buttons.current.get(anchor ?? "")
    if (floating.current && button) placeAbove(floating.current, button)
  })
  // A button that has no room any more can't keep the focus.
  useLayoutEffect(() => {
    const [focused] = [...buttons.current].find(([, button]) => button === document.activeElement) ?? []
    if (focused === more && hidden.length === 0) leave()
    else if (focused !== undefined && placeOf(focused) !== focused) buttons.current.get(more)?.focus()
  })
  useEffect(() => {
    if (gone) closeAndLeave()
  }, [gone])

  const pick = (target: Offered, value: SettingValue) => {
    change.ask(target, value)
    void set(target.id, value).then((taken) => {
      if (!taken) change.forget(target)
    })
  }
  const onShortcut = useEffectEvent((event: KeyboardEvent) => {
    const category = hasCtrl(event) ? undefined : shortcutOf(event)
    const target = category === undefined ? undefined : firstOf(offered, category)
    if (target?.type !== "select" || document.querySelector("dialog:modal") !== null) return
    event.preventDefault()
    show({ settingId: target.id })
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onShortcut(event)
    addEventListener("keydown", listen)
    return () => removeEventListener("keydown", listen)
  }, [])

  if (offered.length === 0 && session.state === "starting")
    return (
      <div className={styles["pickers"]}>
        <span className={`${styles["note"]} meta cut`}>
          What {provider.name} offers to choose appears when it has started.
        </span>
      </div>
    )
  const keep = (key: string) => (button: HTMLButtonElement | null) => {
    if (button) buttons.current.set(key, button)
    else buttons.current.delete(key)
  }
  return (
    <fieldset ref={row} className={styles["pickers"]} aria-label={`Settings of ${provider.name}`}>
      {offered.map((setting, index) => (
        <SettingButton
          key={setting.id}
          buttonRef={keep(setting.id)}
          setting={setting}
          change={change}
          unseen={index >= fits}
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
        title="More settings"
        onClick={() => (anchor === more ? close() : show({}))}
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
          if (event.newState === "closed") setOpen(undefined)
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
