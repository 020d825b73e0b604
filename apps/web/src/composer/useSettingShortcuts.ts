import { useEffect, useEffectEvent } from "react"
import { hasCtrl, shortcutOf } from "../browser/shortcuts.ts"
import { firstOf, type Offered } from "./settingOrder.ts"

/** Opens the choices of a setting by its key, from anywhere on the page but a dialog. */
export const useSettingShortcuts = (offered: ReadonlyArray<Offered>, open: (settingId: string) => void): void => {
  const onShortcut = useEffectEvent((event: KeyboardEvent) => {
    const category = hasCtrl(event) ? undefined : shortcutOf(event)
    const target = category === undefined ? undefined : firstOf(offered, category)
    if (target?.type !== "select" || document.querySelector("dialog:modal") !== null) return
    event.preventDefault()
    open(target.id)
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onShortcut(event)
    addEventListener("keydown", listen)
    return () => removeEventListener("keydown", listen)
  }, [])
}
