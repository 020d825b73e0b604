/** The path of each server on the bridge's address. An id may hold any text, so it stands there as base64url. */

/** Longest path that is read. */
const longest = 4096

const prefix = "/mcp-"

export const pathOf = (serverId: string): string => `${prefix}${Buffer.from(serverId, "utf8").toString("base64url")}`

/** The server that a path leads to; undefined if it leads to none. Each server has one path only. */
export const serverIdIn = (path: string): string | undefined => {
  if (path.length > longest || !path.startsWith(prefix)) return undefined
  const serverId = Buffer.from(path.slice(prefix.length), "base64url").toString("utf8")
  return pathOf(serverId) === path ? serverId : undefined
}
