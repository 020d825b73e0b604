/** The path of each server on the bridge's address. An id may hold any text, so it stands there as base64url, or as a digest if it is long. */
import { createHash } from "node:crypto"

/** Longest id that stands in a path, in characters. Clients and programs do not take addresses of any length. */
const longest = 1024

const named = (serverId: string): string => {
  const encoded = Buffer.from(serverId, "utf8")
  // Half of a surrogate pair has no bytes of its own, so ids that differ there would share one path.
  if (serverId.length <= longest && encoded.toString("utf8") === serverId) return `-${encoded.toString("base64url")}`
  return `.${createHash("sha256").update(JSON.stringify(serverId)).digest("base64url")}`
}

/** Each server has one path only, and no two have the same. */
export const pathOf = (serverId: string): string => `/mcp${named(serverId)}`
