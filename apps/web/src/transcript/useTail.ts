import { useCallback, useLayoutEffect, useRef, useState } from "react"
import { flushSync } from "react-dom"

/** How near the end counts as the end, in CSS pixels: fractions are lost in scaling. */
const near = 2

const atEnd = (element: HTMLElement) => element.scrollHeight - element.clientHeight - element.scrollTop <= near

/**
 * Follows the end of a growing text. At the end it follows; scrolling up by any amount lets go at once; back at the end it follows
 * again. `size` counts what people would miss; `unseen` is what came since they let go.
 */
export const useTail = (size: number) => {
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const [following, setFollowing] = useState(true)
  const [seen, setSeen] = useState(size)
  const follows = useRef(true)
  const top = useRef(0)

  const follow = useCallback((now: boolean) => {
    follows.current = now
    setFollowing(now)
  }, [])

  // While it follows, everything counts as seen; state that is derived while rendering costs no second paint.
  if (following && seen !== size) setSeen(size)

  useLayoutEffect(() => {
    const element = scroller.current
    const inner = content.current
    if (element === null || inner === null) return
    const pin = () => {
      if (!follows.current) return
      element.scrollTop = element.scrollHeight
      top.current = element.scrollTop
    }
    const observer = new ResizeObserver(pin)
    observer.observe(inner)
    observer.observe(element)
    pin()
    return () => observer.disconnect()
  }, [])

  const onScroll = useCallback(() => {
    const element = scroller.current
    if (element === null) return
    if (atEnd(element)) follow(true)
    else if (element.scrollTop < top.current) follow(false)
    top.current = element.scrollTop
  }, [follow])

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
      top.current = element.scrollTop
      follow(atEnd(element))
    },
    [follow]
  )

  return {
    scroller,
    content,
    following,
    unseen: following ? 0 : Math.max(0, size - seen),
    onScroll,
    onWheel,
    toEnd,
    keepPlace
  }
}
