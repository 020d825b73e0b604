/** Which page is open. It stands in the fragment, so that the server need not know the pages. */
import { ThreadId } from "@signalbox/contracts/Ids"
import { isTokenHash } from "./linkToken.ts"
import { makeStore, type Store, useStore } from "./Store.ts"

export type Route =
  | { readonly page: "home" }
  | { readonly page: "agents" }
  | { readonly page: "thread"; readonly threadId: ThreadId }

/** Opens what waits, else the newest thread, else the agents. */
export const homeHref = "#/"
export const agentsHref = "#/agents"
export const threadHref = (threadId: ThreadId): string => `#/threads/${encodeURIComponent(threadId)}`

const parse = (hash: string): Route => {
  if (hash === agentsHref) return { page: "agents" }
  const id = /^#\/threads\/([^/]+)$/.exec(hash)?.[1]
  return id === undefined ? { page: "home" } : { page: "thread", threadId: ThreadId.make(decodeURIComponent(id)) }
}

const route: Store<Route> = makeStore<Route>(parse(location.hash))
addEventListener("hashchange", () => {
  if (!isTokenHash(location.hash)) route.set(parse(location.hash))
})

export const useRoute = (): Route => useStore(route)

export const go = (href: string): void => {
  location.hash = href
}
