import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from "react"
import { flushSync } from "react-dom"
import { useHand } from "./useHand.ts"

/** CSS pixels from the end that count as the end, since scaling loses fractions. */
const near = 2

/** How many layouts a browser may be ahead of what it shows: one is being prepared while another waits to be drawn. */
const ahead = 2

/** How long after a layout an earlier one may still be what people see, in milliseconds. */
const shownFor = 2000

const atEnd = (element: HTMLElement) => element.scrollHeight - element.clientHeight - element.scrollTop <= near

/**
 * Follows the end of a growing text. Scrolling up by any amount stops it immediately. Scrolling to the end, or `toEnd`,
 * starts it again. `size`: the count of entries that can be missed; `unseen`: those since it stopped. `ended`: whether
 * the end is drawn.
 */
export const useTail = (size: number, ended: RefObject<boolean>) => {
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const [following, setFollowing] = useState(true)
  const [seen, setSeen] = useState(size)
  const follows = useRef(true)
  /** The last known scroll position, set by us or by people. */
  const top = useRef(0)
  /** The heights of the text and its window at the last layout, and when that was. */
  const extent = useRef({ height: 0, window: 0, at: 0 })
  /** The scroll positions of the end in the layouts before the last one that people may still see. */
  const earlierEnds = useRef<ReadonlyArray<number>>([])

  const follow = useCallback((now: boolean) => {
    follows.current = now
    setFollowing(now)
  }, [])
  const measure = useCallback(({ clientHeight, scrollHeight }: HTMLElement) => {
    const { height, window } = extent.current
    if (height === scrollHeight && window === clientHeight) return
    earlierEnds.current = [...earlierEnds.current, height - window].slice(-ahead)
    extent.current = { height: scrollHeight, window: clientHeight, at: performance.now() }
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

  // While it follows, everything counts as seen. State derived during rendering costs no second paint.
  if (following && seen !== size) setSeen(size)

  useLayoutEffect(() => {
    if (scroller.current === null || content.current === null) return
    const observer = new ResizeObserver(onResize)
    observer.observe(content.current)
    observer.observe(scroller.current)
    onResize()
    return () => observer.disconnect()
  }, [onResize])

  // A scroll event may come late and report our own scrolling. Only a position that is not ours comes from people.
  const onScroll = useCallback(() => {
    const element = scroller.current
    if (element === null) return
    const { clientHeight, scrollHeight, scrollTop } = element
    const { at, height, window } = extent.current
    if (follows.current) {
      if (scrollTop >= top.current - near || atEnd(element)) return
      // A text that became shorter than its window moved the end up itself, so this is no scrolling of people.
      if (scrollHeight < height || clientHeight > window) return pin(element)
      follow(false)
    } else if (ended.current && scrollTop > top.current) {
      // Readers who reach the end that they saw have arrived, even if more has come since.
      const isAtEarlierEnd =
        performance.now() - at < shownFor && earlierEnds.current.some((end) => Math.abs(scrollTop - end) <= near)
      if (atEnd(element) || scrollTop >= height - window - near || isAtEarlierEnd) {
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
      // A reader who stopped following and is still at the end is about to leave it.
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
