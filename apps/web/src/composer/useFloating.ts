import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react"
import { placeAbove } from "../design/placeAbove.ts"
import type { Offered } from "./settingOrder.ts"

/** What floats above the row: the choices of one setting, or the settings that have no room in it. */
export interface Floating {
  readonly settingId?: string
  /** The choices were opened from the other settings, and lead back to them. */
  readonly fromMore?: boolean
}

/** The key of the button that leads to what has no room. */
export const more = " more"

/**
 * The one list that floats above the row of settings, and the buttons that it hangs on. `hidden`: the settings without
 * room, which changes with each choice. `leave`: moves the focus on when what had it is gone.
 */
export const useFloating = (offered: ReadonlyArray<Offered>, hidden: ReadonlyArray<Offered>, leave: () => void) => {
  const floating = useRef<HTMLDivElement>(null)
  const buttons = useRef(new Map<string, HTMLButtonElement>())
  const [open, setOpen] = useState<Floating>()
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
  const keep = (key: string) => (button: HTMLButtonElement | null) => {
    if (button) buttons.current.set(key, button)
    else buttons.current.delete(key)
  }
  return { floating, open, setting, anchor, show, close, closed: () => setOpen(undefined), keep }
}
