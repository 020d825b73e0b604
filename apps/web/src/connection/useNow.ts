import { useSyncExternalStore } from "react"
import { serverNow } from "./link.ts"

/** A clock that all who want the same pace share, so that they change together. It runs while somebody looks. */
const makeTicker = (interval: number) => {
  let now = serverNow()
  let timer: ReturnType<typeof setInterval> | undefined
  const listeners = new Set<() => void>()
  const tick = () => {
    now = serverNow()
    for (const listener of listeners) listener()
  }
  return {
    get: () => {
      if (timer === undefined && serverNow() - now > 50) now = serverNow()
      return now
    },
    subscribe: (onTick: () => void) => {
      listeners.add(onTick)
      timer ??= setInterval(tick, interval)
      return () => {
        listeners.delete(onTick)
        if (listeners.size > 0) return
        clearInterval(timer)
        timer = undefined
      }
    }
  }
}

const tickers = new Map<number, ReturnType<typeof makeTicker>>()

const tickerFor = (interval: number) => {
  const known = tickers.get(interval)
  if (known) return known
  const ticker = makeTicker(interval)
  tickers.set(interval, ticker)
  return ticker
}

/** The time by the server's clock, renewed every `interval` milliseconds. */
export const useNow = (interval: number): number => {
  const ticker = tickerFor(interval)
  return useSyncExternalStore(ticker.subscribe, ticker.get)
}
