/** Admission to the server: exchanges the printed link's token for a cookie that scripts can't read. */
import type { Admission } from "./Transport.ts"

export const exchangeToken = async (token: string): Promise<Admission> => {
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

/** Whether the server knows this browser. Browsers don't report why a WebSocket was refused, so this asks. */
export const admission = async (): Promise<Admission> => {
  try {
    const response = await fetch("/session", { cache: "no-store", signal: AbortSignal.timeout(3000) })
    if (response.ok) return "admitted"
    return response.status === 401 ? "refused" : "unreachable"
  } catch {
    return "unreachable"
  }
}
