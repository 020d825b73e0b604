/** The token of the printed link, in the fragment of the address. */

/** Whether a fragment carries a token, and is no place in the page. */
export const isTokenHash = (hash: string): boolean => hash.startsWith("#token=")

/**
 * The token in the address, if any. It is taken out of the address at once, so that it isn't shared, logged or bookmarked;
 * `before` is the fragment that stood there before it.
 */
export const takeToken = (before = ""): string | undefined => {
  if (!isTokenHash(location.hash)) return undefined
  const token = new URLSearchParams(location.hash.slice(1)).get("token")
  history.replaceState(null, "", location.pathname + location.search + before)
  return token ?? undefined
}
