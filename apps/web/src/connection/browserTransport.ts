/** The way of a browser to the server that its page is from. */
import * as Client from "@signalbox/client/Client"
import { takeToken } from "../browser/linkToken.ts"
import { admission, exchangeToken } from "./admission.ts"
import type { Transport } from "./Transport.ts"

/** The token of the link that the page was opened by, until the server has taken or refused it. */
let token = takeToken()

export const browserTransport: Transport = {
  connect: () => new WebSocket(Client.addressOf(location.origin)),
  patience: 8000,
  enter: async () => {
    if (token === undefined) return undefined
    const entered = await exchangeToken(token)
    if (entered !== "unreachable") token = undefined
    return entered
  },
  admission,
  onNews: (tryNow) => {
    // A new link opened in this tab changes only the fragment.
    addEventListener("hashchange", ({ oldURL }) => {
      const next = takeToken(new URL(oldURL).hash)
      if (next === undefined) return
      token = next
      tryNow()
    })
    addEventListener("online", tryNow)
  }
}
