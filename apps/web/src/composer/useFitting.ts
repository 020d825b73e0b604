import { type RefObject, useLayoutEffect, useState } from "react"

/** Pixels between two children of the row. */
const gap = 2

/** How many of the first `widths` have room, where `more` stands at the end once one has none. At least one is shown. */
export const fitting = (widths: ReadonlyArray<number>, more: number, room: number): number => {
  const total = widths.reduce((sum, width) => sum + width + gap, -gap)
  if (total <= room) return widths.length
  let used = more
  const count = widths.findIndex((width) => (used += width + gap) > room)
  return Math.max(1, count)
}

/**
 * How many children of a row have room in it, from the first on. Their ids, one a line, stand in `data-fits` of each. Those that have
 * no room must keep their size, unseen; the child marked `data-more` leads to them.
 */
export const useFitting = (row: RefObject<HTMLElement | null>, ids: string): number => {
  const [count, setCount] = useState(Number.POSITIVE_INFINITY)
  useLayoutEffect(() => {
    const element = row.current
    if (element === null) return
    const children = ids
      .split("\n")
      .flatMap((id) => element.querySelector<HTMLElement>(`[data-fits="${CSS.escape(id)}"]`) ?? [])
    const more = element.querySelector<HTMLElement>("[data-more]")
    const measure = () => {
      const widths = children.map(({ offsetWidth }) => offsetWidth)
      setCount(fitting(widths, more?.offsetWidth ?? 0, element.clientWidth))
    }
    // At once: the count of another set is never seen, nor pressed.
    measure()
    const observer = new ResizeObserver(measure)
    for (const child of [element, ...children]) observer.observe(child)
    return () => observer.disconnect()
  }, [ids, row])
  return count
}
