/** Which page is open. It stands in the fragment, so that the server need not know the pages. */
import { type Route, routeOf } from "./hrefs.ts"
import { isTokenHash, placeBehind } from "./linkToken.ts"
import { makeStore, type Store, useStore } from "./Store.ts"

const route: Store<Route> = makeStore<Route>(routeOf(placeBehind(location.hash) ?? location.hash))
addEventListener("hashchange", () => {
  const { hash } = location
  const place = isTokenHash(hash) ? placeBehind(hash) : hash
  if (place !== undefined) route.set(routeOf(place))
})

export const useRoute = (): Route => useStore(route)

/** Goes to a page that takes the place of this one in the history. */
export const goInstead = (href: string): void => location.replace(href)

export const go = (href: string): void => {
  location.hash = href
}
