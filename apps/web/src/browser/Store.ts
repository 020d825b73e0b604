/** A value that changes and says so. Everything that the page shows stands in one of these. */
import { useSyncExternalStore } from "react"

export interface Store<A> {
  readonly get: () => A
  readonly set: (value: A) => void
  readonly subscribe: (onChange: () => void) => () => void
}

/** A value that somebody else changes. */
export type Follow<A> = Pick<Store<A>, "get" | "subscribe">

export const makeStore = <A>(initial: A): Store<A> => {
  let value = initial
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set: (next) => {
      if (Object.is(next, value)) return
      value = next
      for (const listener of listeners) listener()
    },
    subscribe: (onChange) => {
      listeners.add(onChange)
      return () => listeners.delete(onChange)
    }
  }
}

export const useStore = <A>(store: Follow<A>): A => useSyncExternalStore(store.subscribe, store.get)
