import { type RefObject, useEffect, useEffectEvent } from "react"

/** Whether this wheel moves the text up. Ctrl makes the wheel zoom, Shift makes it scroll sideways. */
const wheelsUp = ({ ctrlKey, deltaX, deltaY, shiftKey }: WheelEvent): boolean =>
  deltaY < 0 && -deltaY > Math.abs(deltaX) && !ctrlKey && !shiftKey

/** Whether this key scrolls up. Space presses a button that has the focus. */
const pressesUp = ({ key, shiftKey, target }: KeyboardEvent): boolean =>
  key === "Home" ||
  key === "PageUp" ||
  key === "ArrowUp" ||
  (key === " " && shiftKey && target instanceof HTMLElement && !target.matches("button, input"))

/**
 * Calls `onUp` when wheel, finger or key begins to scroll up. The browser scrolls later, and on a slow page its event comes later still.
 * A scrollbar and a search in the page have no such input: their scrolling alone shows them.
 */
export const useHand = (scroller: RefObject<HTMLElement | null>, onUp: () => void): void => {
  const up = useEffectEvent(onUp)
  useEffect(() => {
    const element = scroller.current
    if (element === null) return
    const gone = new AbortController()
    const options = { passive: true, signal: gone.signal }
    element.addEventListener("wheel", (event) => void (wheelsUp(event) && up()), options)
    element.addEventListener("keydown", (event) => void (pressesUp(event) && up()), options)

    // Two fingers zoom. A finger that goes down pulls the text with it.
    let before: Touch | undefined
    const feel = ({ touches }: TouchEvent) => {
      const now = touches.length === 1 ? touches[0] : undefined
      if (now !== undefined && before !== undefined) {
        const down = now.clientY - before.clientY
        if (down > Math.abs(now.clientX - before.clientX)) up()
      }
      before = now
    }
    for (const type of ["touchstart", "touchmove", "touchend"] as const) element.addEventListener(type, feel, options)
    return () => gone.abort()
  }, [scroller])
}
