/** Whether somebody looks for a file to open. The key works before the editor is loaded. */
import { useEffect, useEffectEvent } from "react"
import { hasCtrl } from "./shortcuts.ts"
import { makeStore } from "./Store.ts"

export const fileSearch = makeStore(false)

/** `onOpen`: shows the editor, which has the search. */
export const useFileSearchKey = (onOpen: () => void): void => {
  const open = useEffectEvent(onOpen)
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!hasCtrl(event) || event.shiftKey || event.altKey || event.key.toLowerCase() !== "p") return
      if (document.querySelector("dialog:modal") !== null) return
      event.preventDefault()
      fileSearch.set(true)
      open()
    }
    addEventListener("keydown", listen)
    return () => removeEventListener("keydown", listen)
  }, [])
}
