import { type RefObject, useEffect, useRef } from "react"
import { keyIsFree } from "../browser/keyIsFree.ts"

/** `1` to `9` choose on this card: on the one that has the focus, else on the first of the desk. */
export const useDigits = (card: RefObject<HTMLElement | null>, choose: (index: number) => void): void => {
  const latest = useRef(choose)
  useEffect(() => {
    latest.current = choose
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.repeat || !/^[1-9]$/.test(event.key) || !keyIsFree(event) || card.current === null) return
      event.preventDefault()
      latest.current(Number(event.key) - 1)
    }
    window.addEventListener("keydown", onKey)
    return () => window.removeEventListener("keydown", onKey)
  }, [card])
}
