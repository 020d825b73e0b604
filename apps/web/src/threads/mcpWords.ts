/** Servers of the Model Context Protocol for one thread. Pure. */
import type { McpConnection, McpServerInfo } from "@signalbox/contracts/McpServer"
import type { ThreadView } from "@signalbox/contracts/ThreadView"

/** The names that a thread's sessions begin with: what was chosen for it, else what the settings switch on. */
export const chosenOf = (
  { mcpServers }: Pick<ThreadView, "mcpServers">,
  servers: ReadonlyArray<McpServerInfo>
): ReadonlyArray<string> => mcpServers ?? servers.filter(({ enabled }) => enabled).map(({ name }) => name)

/** With one of them on or off, in the order of the list. What the list does not have is left as it was chosen. */
export const withChoice = (
  chosen: ReadonlyArray<string>,
  servers: ReadonlyArray<McpServerInfo>,
  name: string,
  on: boolean
): ReadonlyArray<string> => {
  const wanted = new Set(chosen)
  if (on) wanted.add(name)
  else wanted.delete(name)
  const listed = servers.map((server) => server.name)
  return [...listed.filter((other) => wanted.has(other)), ...[...wanted].filter((other) => !listed.includes(other))]
}

/** How agents reach it, in one line. */
export const connectionWords = (connection: McpConnection): string =>
  connection.type === "stdio" ? connection.commandLine : connection.url

/** Names of the values that go along, which are shown nowhere. */
export const valuesOf = (connection: McpConnection): ReadonlyArray<string> =>
  (connection.type === "stdio" ? connection.env : connection.headers) ?? []

/** What is to be said where the running session has others than are chosen. */
export const lateWords = (
  { provider, session }: Pick<ThreadView, "provider" | "session">,
  chosen: ReadonlyArray<string>
): string | undefined => {
  if (session.state !== "ready" || session.mcpServers === undefined) return undefined
  const has = new Set(session.mcpServers)
  const same = has.size === chosen.length && chosen.every((name) => has.has(name))
  if (same) return undefined
  const now = session.mcpServers.length === 0 ? "none" : session.mcpServers.join(", ")
  return `The session that runs has ${now}. ${provider.name} gets what is chosen here from its next start on.`
}
