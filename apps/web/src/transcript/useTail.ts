import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from "react"
import { flushSync } from "react-dom"
import { useHand } from "./useHand.ts"

/** How near the end counts as the end, in CSS pixels: fractions are lost in scaling. */
const near = 2

const atEnd = (element: HTMLElement) => element.scrollHeight - element.clientHeight - element.scrollTop <= near

/**
 * Follows the end of a growing text. At the end it follows; scrolling up by any amount lets go at once; back at the end it follows
 * again. `size` counts what people would miss; `unseen` is what came since they let go. `ended`: the end is drawn.
 */
export const useTail = (size: number, ended: RefObject<boolean>) => {
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const hasHand = useHand(scroller)
  const [following, setFollowing] = useState(true)
  const [seen, setSeen] = useState(size)
  const follows = useRef(true)
  /** The place that it was scrolled to, and how long what it shows was then. */
  const place = useRef({ top: 0, height: 0, window: 0 })

  const follow = useCallback((now: boolean) => {
    follows.current = now
    setFollowing(now)
  }, [])
  const note = useCallback(({ clientHeight, scrollHeight, scrollTop }: HTMLElement) => {
    place.current = { top: scrollTop, height: scrollHeight, window: clientHeight }
  }, [])
  const pin = useCallback(() => {
    const element = scroller.current
    if (element === null || !follows.current) return
    element.scrollTop = element.scrollHeight
    note(element)
  }, [note])

  // While it follows, everything counts as seen; state that is derived while rendering costs no second paint.
  if (following && seen !== size) setSeen(size)

  useLayoutEffect(() => {
    if (scroller.current === null || content.current === null) return
    const observer = new ResizeObserver(pin)
    observer.observe(content.current)
    observer.observe(scroller.current)
    pin()
    return () => observer.disconnect()
  }, [pin])

  const onScroll = useCallback(() => {
    const element = scroller.current
    if (element === null) return
    const { height, top, window } = place.current
    if (ended.current && atEnd(element)) follow(true)
    else if (element.scrollTop < top) {
      // A text that shrinks for a moment takes the end up with it: nobody wanted that.
      const resized = element.scrollHeight !== height || element.clientHeight !== window
      if (follows.current && resized && !hasHand()) return pin()
      follow(false)
    }
    note(element)
  }, [ended, follow, hasHand, note, pin])

  const onWheel = useCallback(
    (event: React.WheelEvent) => {
      const element = scroller.current
      if (event.deltaY < 0 && element !== null && element.scrollTop > 0) follow(false)
    },
    [follow]
  )

  const toEnd = useCallback(() => {
    const element = scroller.current
    follow(true)
    if (element !== null) element.scrollTop = element.scrollHeight
  }, [follow])

  const keepPlace = useCallback(
    (anchor: Element, change: () => void) => {
      const element = scroller.current
      const before = anchor.getBoundingClientRect().top
      follows.current = false
      flushSync(change)
      if (element === null) return
      element.scrollTop += anchor.getBoundingClientRect().top - before
      note(element)
      follow(ended.current && atEnd(element))
    },
    [ended, follow, note]
  )

  return {
    scroller,
    content,
    following,
    unseen: following ? 0 : Math.max(0, size - seen),
    onScroll,
    onWheel,
    toEnd,
    letGo: () => follow(false),
    keepPlace
  }
}
