import { type RefObject, useCallback, useEffect, useRef } from "react"

/** What scrolls up within this time after somebody used wheel, keys or pointer is theirs, milliseconds. */
const handFor = 1000

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement

/** Whether somebody has, or had a moment ago, a hand on what scrolls. */
export const useHand = (scroller: RefObject<HTMLElement | null>): (() => boolean) => {
  const last = useRef(-Infinity)
  const held = useRef(false)
  useEffect(() => {
    const element = scroller.current
    if (element === null) return
    const touch = () => void (last.current = performance.now())
    const gone = new AbortController()
    const { signal } = gone
    for (const type of ["wheel", "touchmove"]) element.addEventListener(type, touch, { passive: true, signal })
    // A scrollbar that is dragged tells its beginning only.
    element.addEventListener("pointerdown", () => void (held.current = true), { signal })
    const release = (event: PointerEvent) => {
      if (event.buttons > 0 || !held.current) return
      held.current = false
      touch()
    }
    for (const type of ["pointerup", "pointercancel", "pointermove"] as const)
      addEventListener(type, release, { signal })
    addEventListener("keydown", ({ target }) => isField(target) || touch(), { signal })
    return () => gone.abort()
  }, [scroller])
  return useCallback(() => held.current || performance.now() - last.current < handFor, [])
}
