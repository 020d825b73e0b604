/** Which page is open. It stands in the fragment, so that the server need not know the pages. */
import { type Route, routeOf } from "./hrefs.ts"
import { isTokenHash } from "./linkToken.ts"
import { makeStore, type Store, useStore } from "./Store.ts"

const route: Store<Route> = makeStore<Route>(routeOf(location.hash))
addEventListener("hashchange", () => {
  if (!isTokenHash(location.hash)) route.set(routeOf(location.hash))
})

export const useRoute = (): Route => useStore(route)

/** Goes to a page that takes the place of this one in the history. */
export const goInstead = (href: string): void => location.replace(href)

export const go = (href: string): void => {
  location.hash = href
}
