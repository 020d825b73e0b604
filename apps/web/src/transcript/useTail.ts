import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from "react"
import { flushSync } from "react-dom"
import { useHand } from "./useHand.ts"

/** How near the end counts as the end, in CSS pixels: fractions are lost in scaling. */
const near = 2

const atEnd = (element: HTMLElement) => element.scrollHeight - element.clientHeight - element.scrollTop <= near

/**
 * Follows the end of a growing text. Whoever turns up by any amount is let go at once. Arriving at the end by hand, or `toEnd`, makes it
 * follow again. `size` counts what people would miss; `unseen` is what came since they were let go. `ended`: the end is drawn.
 */
export const useTail = (size: number, ended: RefObject<boolean>) => {
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const [following, setFollowing] = useState(true)
  const [seen, setSeen] = useState(size)
  const follows = useRef(true)
  /** The place that it was scrolled to, by us or by people, when that was last known. */
  const top = useRef(0)
  /** How long the text and its window were when they were last laid out. */
  const extent = useRef({ height: 0, window: 0 })

  const follow = useCallback((now: boolean) => {
    follows.current = now
    setFollowing(now)
  }, [])
  const measure = useCallback(({ clientHeight, scrollHeight }: HTMLElement) => {
    extent.current = { height: scrollHeight, window: clientHeight }
  }, [])
  const pin = useCallback(
    (element: HTMLElement) => {
      element.scrollTop = element.scrollHeight
      top.current = element.scrollTop
      measure(element)
    },
    [measure]
  )
  const onResize = useCallback(() => {
    if (scroller.current === null) return
    if (follows.current) pin(scroller.current)
    else measure(scroller.current)
  }, [measure, pin])
  useHand(scroller, () => {
    if (follows.current && scroller.current !== null && scroller.current.scrollTop > 0) follow(false)
  })

  // While it follows, everything counts as seen; state that is derived while rendering costs no second paint.
  if (following && seen !== size) setSeen(size)

  useLayoutEffect(() => {
    if (scroller.current === null || content.current === null) return
    const observer = new ResizeObserver(onResize)
    observer.observe(content.current)
    observer.observe(scroller.current)
    onResize()
    return () => observer.disconnect()
  }, [onResize])

  // An event may come late, and tell of what we did ourselves: only a place that is not ours is somebody's doing.
  const onScroll = useCallback(() => {
    const element = scroller.current
    if (element === null) return
    const { clientHeight, scrollHeight, scrollTop } = element
    const { height, window } = extent.current
    if (follows.current) {
      if (scrollTop >= top.current - near || atEnd(element)) return
      // A text that has become shorter than its window needs took the end up with it: nobody wanted that.
      if (scrollHeight < height || clientHeight > window) return pin(element)
      follow(false)
    } else if (ended.current && scrollTop > top.current) {
      // Whoever arrives at the end that they saw has arrived, though more has come since.
      if (atEnd(element) || scrollTop >= height - window - near) {
        follow(true)
        return pin(element)
      }
    }
    top.current = scrollTop
  }, [ended, follow, pin])

  const toEnd = useCallback(() => {
    follow(true)
    if (scroller.current !== null) pin(scroller.current)
  }, [follow, pin])

  const keepPlace = useCallback(
    (anchor: Element, change: () => void) => {
      const element = scroller.current
      const before = anchor.getBoundingClientRect().top
      // Who was let go and is still at the end is about to leave it.
      const mayFollow = follows.current || (element !== null && !atEnd(element))
      follows.current = false
      flushSync(change)
      if (element === null) return
      element.scrollTop += anchor.getBoundingClientRect().top - before
      top.current = element.scrollTop
      measure(element)
      follow(mayFollow && ended.current && atEnd(element))
    },
    [ended, follow, measure]
  )

  return {
    scroller,
    content,
    following,
    unseen: following ? 0 : Math.max(0, size - seen),
    onScroll,
    toEnd,
    letGo: () => follow(false),
    keepPlace
  }
}
