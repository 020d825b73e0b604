/** A page from which the server's words can be held back. So it learns of everything later than it happens. */
import type { Page } from "playwright-core"
import type { Tab } from "./Tab.ts"

export interface HeldBack {
  readonly tab: Tab
  /** From now on nothing arrives but refusals of commands and answers to pings, which come at once. */
  readonly hold: () => void
  /** What was held back arrives, in its order, and all that comes after it. */
  readonly release: () => void
  /** Completes with the first refusal. */
  readonly refusal: Promise<void>
}

/** A line of its own, as the RPC protocol of Effect writes it. */
const pong = /^\{"_tag":"Pong"\}\s*$/

type Open = (address: string, before: (page: Page) => Promise<void>) => Promise<Tab>

/** `from`: holds back the first message that contains this text, and all later ones, without a call. */
export const openHeldBack = async (open: Open, address: string, from?: string): Promise<HeldBack> => {
  let held: Array<() => void> | undefined
  let awaited = from
  let refused = () => {}
  const refusal = new Promise<void>((resolve) => (refused = resolve))
  const hold = () => {
    held ??= []
  }
  const tab = await open(address, (page) =>
    page.routeWebSocket(/\/rpc$/, (socket) => {
      socket.connectToServer().onMessage((message) => {
        if (awaited !== undefined && message.includes(awaited)) {
          awaited = undefined
          hold()
        }
        const isRefusal = message.includes("CommandRejected")
        // A page that gets no answer to its pings takes the connection for lost.
        const isPong = pong.test(String(message))
        if (held === undefined || isRefusal || isPong) socket.send(message)
        else held.push(() => socket.send(message))
        if (isRefusal) refused()
      })
    })
  )
  const release = () => {
    const late = held ?? []
    held = undefined
    for (const deliver of late) deliver()
  }
  return { tab, hold, release, refusal }
}
