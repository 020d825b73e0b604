/** Which entries stand open. What was opened stays open for its thread, as long as the page lives. */
import { createContext, useContext, useState } from "react"

export interface Openings {
  readonly states: Map<string, boolean>
  /** Makes a change while `element` keeps its place on the screen. */
  readonly keepPlace: (element: Element, change: () => void) => void
}

const threads = new Map<string, Map<string, boolean>>()

export const openStates = (threadId: string): Map<string, boolean> => {
  const known = threads.get(threadId)
  if (known) return known
  const states = new Map<string, boolean>()
  threads.set(threadId, states)
  return states
}

/** Outside a transcript nothing has to keep its place. */
export const OpeningsContext = createContext<Openings>({ states: new Map(), keepPlace: (_, change) => change() })

export const useOpen = (key: string, initially = false) => {
  const { keepPlace, states } = useContext(OpeningsContext)
  const [chosen, setChosen] = useState(states.get(key))
  const open = chosen ?? initially
  const toggle = (element: Element) =>
    keepPlace(element, () => {
      states.set(key, !open)
      setChosen(!open)
    })
  return { open, toggle }
}
