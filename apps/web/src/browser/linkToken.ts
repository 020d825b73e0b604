/** The token of the printed link, in the fragment of the address. */

/** Whether a fragment carries a token, and is no place in the page. */
export const isTokenHash = (hash: string): boolean => hash.startsWith("#token=")

/** The place of the page that a link with a token names by `then`: another fragment. Undefined where it names none. */
export const placeBehind = (hash: string): string | undefined => {
  const place = isTokenHash(hash) ? new URLSearchParams(hash.slice(1)).get("then") : null
  return place?.startsWith("#/") === true ? place : undefined
}

/**
 * The token in the address, if any. It is taken out of the address at once, so that it isn't shared, logged or bookmarked. In its place
 * comes the place that the link names, else `before`, the fragment that stood there before.
 */
export const takeToken = (before = ""): string | undefined => {
  if (!isTokenHash(location.hash)) return undefined
  const token = new URLSearchParams(location.hash.slice(1)).get("token")
  history.replaceState(null, "", location.pathname + location.search + (placeBehind(location.hash) ?? before))
  return token ?? undefined
}
