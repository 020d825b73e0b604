/** The way of a view to the server: through the extension, which knows the server's address and token. */
import { type TunnelNews, TunnelSocket } from "@signalbox/client/TunnelSocket"
import type { Problem } from "@signalbox/contracts/Problem"
import { makeStore, type Store } from "../browser/Store.ts"
import type { Transport } from "../connection/Transport.ts"
import { tell } from "./host.ts"

/** Why the extension could not reach a server at its last attempt. Undefined after one that succeeded. */
export const unreached: Store<Problem | undefined> = makeStore<Problem | undefined>(undefined)

let current: TunnelSocket | undefined

export const hostTransport: Transport = {
  connect: () => {
    current = new TunnelSocket(crypto.randomUUID(), tell)
    return current
  },
  // The extension may have to start a server first, which it gives a minute.
  patience: 70_000,
  enter: () => Promise.resolve(undefined),
  // The extension has a token, or says what is wrong.
  admission: () => Promise.resolve("unreachable"),
  onNews: () => {}
}

export const takeNews = (news: TunnelNews): void => {
  if (news.connection !== current?.connection) return
  if (news.type === "connected") unreached.set(undefined)
  if (news.type === "disconnected") unreached.set(news.problem)
  current.take(news)
}
