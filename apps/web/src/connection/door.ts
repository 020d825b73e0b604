/** The way in: the token of the printed link is traded for a cookie that scripts can't read. */

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

/** `unreachable`: no answer, or none of ours. */
export type Admission = "admitted" | "refused" | "unreachable"

export const trade = async (token: string): Promise<Admission> => {
  try {
    const response = await fetch("/session", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ token }),
      signal: AbortSignal.timeout(5000)
    })
    if (response.ok) return "admitted"
    return response.status < 500 ? "refused" : "unreachable"
  } catch {
    return "unreachable"
  }
}

/** Whether the server knows this browser. Asked because browsers don't tell why a WebSocket was refused. */
export const knock = async (): Promise<Admission> => {
  try {
    const response = await fetch("/session", { cache: "no-store", signal: AbortSignal.timeout(3000) })
    if (response.ok) return "admitted"
    return response.status === 401 ? "refused" : "unreachable"
  } catch {
    return "unreachable"
  }
}
