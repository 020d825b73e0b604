import { useLayoutEffect, useRef, useState } from "react"
import { flushSync } from "react-dom"
import { useDrawn } from "./drawn.ts"
import type { Further } from "./EarlierEntry.tsx"
import type { Entry } from "./entries.ts"
import { useMissable } from "./useMissable.ts"
import { useTail } from "./useTail.ts"

/** What lies beyond the loaded entries, and the ways there. */
export interface Beyond {
  /** The entries before the thread's window, if there are any. */
  readonly earlier?: Further | undefined
  /** The entries between the shown ones and the thread's window, if any. Then the end is out of sight. */
  readonly later?: Further | undefined
  /** Reads the thread from its beginning. Missing if all of it is loaded. */
  readonly onBeginning?: (() => void) | undefined
  /** How often the thread was read from its beginning. */
  readonly jumps?: number
  /** Goes to the end from any place. */
  readonly onEnd?: (() => void) | undefined
}

/** The drawn stretch of the entries, and how readers move in it: they follow its end, go to both ends, and reveal more. */
export const useStretch = (
  entries: ReadonlyArray<Entry>,
  { earlier, jumps = 0, later, onBeginning, onEnd }: Beyond
) => {
  const apart = later !== undefined
  /** Whether the thread's last entry is drawn. */
  const ended = useRef(true)
  const tail = useTail(useMissable(entries, apart), ended)
  const { following, keepPlace, letGo, scroller } = tail
  const { begin, down, from, to, toLast, up } = useDrawn(entries, following && !apart)
  const isEnded = to === entries.length && !apart
  useLayoutEffect(() => {
    ended.current = isEnded
  })
  const toEnd = () => {
    onEnd?.()
    toLast()
    tail.toEnd()
  }
  const toBeginning = () => {
    letGo()
    if (onBeginning !== undefined && earlier !== undefined) return onBeginning()
    flushSync(() => begin(0))
    scroller.current?.scrollTo(0, 0)
  }
  const [jumped, setJumped] = useState(jumps)
  if (jumped !== jumps) {
    setJumped(jumps)
    begin(0)
  }
  useLayoutEffect(() => {
    if (jumps > 0) scroller.current?.scrollTo(0, 0)
  }, [jumps, scroller])
  const top = useRef<HTMLDivElement>(null)
  const bottom = useRef<HTMLDivElement>(null)
  /** Draws or reads more at the lower end, and keeps the reader's place. */
  const revealLater = () => {
    const above = bottom.current?.previousElementSibling
    if (to < entries.length && above) keepPlace(above, down)
    else if (later?.state === "there") later.read()
  }
  /** Draws more loaded entries, or reads further ones. Returns whether entries were added. */
  const revealEarlier = (): boolean => {
    const sentinel = top.current
    const below = sentinel?.nextElementSibling
    if (from === 0 || !below) {
      if (earlier?.state === "there") earlier.read()
      return false
    }
    const focused = sentinel.contains(document.activeElement)
    keepPlace(below, up)
    const last = below.previousElementSibling
    if (focused && last instanceof HTMLElement) (last.querySelector<HTMLElement>("h3 > button") ?? last).focus()
    return true
  }
  return { tail, from, to, isEnded, top, bottom, toEnd, toBeginning, revealEarlier, revealLater }
}
