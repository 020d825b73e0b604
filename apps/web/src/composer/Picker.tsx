import type { SettingGroup } from "@signalbox/contracts/SessionSetting"
import { useId, useRef, useState } from "react"
import { Icon } from "../design/Icon.tsx"
import { ChoiceList } from "./ChoiceList.tsx"
import { placeAbove } from "./placeAbove.ts"
import styles from "./Picker.module.css"

/** A choice that reads as words: *Effort **High***. Its list opens with the arrow keys too. */
export const Picker = (props: {
  readonly label: string
  /** Whether the label stands before the value; some values speak for themselves. */
  readonly labelled: boolean
  readonly value: string | undefined
  readonly shown: string
  readonly groups: ReadonlyArray<SettingGroup>
  /** Why the value isn't certain yet. */
  readonly pending: string | undefined
  readonly onPick: (value: string) => void
}) => {
  const { groups, label, labelled, onPick, pending, shown, value } = props
  const listId = useId()
  const button = useRef<HTMLButtonElement>(null)
  const floating = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)
  const close = () => {
    floating.current?.hidePopover()
    button.current?.focus()
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        className={styles["picker"]}
        aria-haspopup="listbox"
        aria-expanded={open}
        aria-controls={open ? listId : undefined}
        aria-busy={pending !== undefined}
        aria-label={`${label}: ${shown}${pending === undefined ? "" : `, ${pending}`}`}
        title={pending === undefined ? label : `${label}: ${pending}`}
        onClick={() => floating.current?.showPopover()}
        onKeyDown={(event) => {
          if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return
          event.preventDefault()
          floating.current?.showPopover()
        }}
      >
        {labelled && <span>{label}</span>}
        <b className="cut">{shown}</b>
        <Icon name="down" className={styles["chevron"] ?? ""} />
      </button>
      <div
        ref={floating}
        popover="auto"
        data-floating=""
        className={styles["floating"]}
        onToggle={(event) => setOpen(event.newState === "open")}
      >
        {open && (
          <ChoiceList
            id={listId}
            label={label}
            groups={groups}
            value={value}
            onShown={() => {
              if (floating.current && button.current) placeAbove(floating.current, button.current)
            }}
            onPick={(picked) => {
              close()
              if (picked !== value) onPick(picked)
            }}
            onLeave={close}
          />
        )}
      </div>
    </>
  )
}
