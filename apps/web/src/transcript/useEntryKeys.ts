import { type RefObject, useEffect, useEffectEvent } from "react"
import { takesLetter } from "../browser/shortcuts.ts"
import { keyIsFree } from "../browser/keyIsFree.ts"

/** `J` and `K` go to the next and the previous entry, `End` to the end, `Home` to the beginning. An entry that opens has the focus on its button: Space and Enter open it. */
export const useEntryKeys = (
  content: RefObject<HTMLElement | null>,
  ends: { readonly toEnd: () => void; readonly toBeginning: () => void },
  /** Draws what stands before the first entry. Returns whether there is one now. */
  earlier: () => boolean
): void => {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const by = event.key === "j" ? 1 : event.key === "k" ? -1 : undefined
    if (event.key === "End" && keyIsFree(event)) ends.toEnd()
    else if (event.key === "Home" && keyIsFree(event)) ends.toBeginning()
    else if (by !== undefined && takesLetter(event)) {
      if (content.current) step(content.current, by, earlier)
    } else return
    event.preventDefault()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    window.addEventListener("keydown", listen)
    return () => window.removeEventListener("keydown", listen)
  }, [])
}

const step = (content: HTMLElement, by: 1 | -1, earlier: () => boolean): void => {
  const entries = [...content.querySelectorAll<HTMLElement>("[data-entry]:has(h3)")]
  const at = entries.findIndex((entry) => entry.contains(document.activeElement))
  const next = at === -1 ? entries[firstInSight(entries, by)] : entries[at + by]
  if (next === undefined) {
    if (by === -1 && earlier()) step(content, by, earlier)
    return
  }
  const target = next.querySelector<HTMLElement>("h3 > button") ?? next
  target.focus({ preventScroll: true })
  target.scrollIntoView({ block: "nearest" })
}

/** The entry to start at when none has the focus: what people look at. */
const firstInSight = (entries: ReadonlyArray<HTMLElement>, by: 1 | -1): number => {
  const edge = entries[0]?.closest('[role="log"]')?.getBoundingClientRect()
  if (edge === undefined) return 0
  return by === 1
    ? entries.findIndex((entry) => entry.getBoundingClientRect().top >= edge.top)
    : entries.findLastIndex((entry) => entry.getBoundingClientRect().top < edge.bottom)
}
