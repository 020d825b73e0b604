/**
 * The MCP servers of the settings. People see them without secrets; a session's agent gets them with secrets. They are
 * read again for each session. Servers in a project's own files are the agent's business, not ours.
 */
import type { McpServerInfo } from "@signalbox/contracts/McpServer"
import { isWithin } from "@signalbox/contracts/Paths"
import type { McpServerSettings, Settings } from "@signalbox/contracts/Settings"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as CommandLine from "effect/process/CommandLine"
import * as Result from "effect/Result"
import { resolve } from "node:path"
import { SettingsFile } from "../settings/SettingsFile.ts"
import * as Redaction from "@signalbox/redaction/Redaction"
import { type ReadyMcpServer, readinessOf } from "./ReadyMcpServer.ts"

export interface LeftOut {
  readonly name: string
  /** One sentence. */
  readonly reason: string
}

export interface SessionMcpServers {
  readonly ready: ReadonlyArray<ReadyMcpServer>
  readonly leftOut: ReadonlyArray<LeftOut>
  /** Secret values, which must not be written anywhere. */
  readonly secrets: ReadonlyArray<string>
}

export interface McpServersOfSettings {
  /** The servers of a folder and those of all threads; without a folder, only the latter. */
  readonly list: (cwd?: string) => Effect.Effect<ReadonlyArray<McpServerInfo>>
  /** The servers with these names; by default, the enabled ones. `cwd`: the absolute folder of the thread. */
  readonly forSession: (cwd: string, names?: ReadonlyArray<string>) => Effect.Effect<SessionMcpServers>
}

const nothing: SessionMcpServers = { ready: [], leftOut: [], secrets: [] }

/** The MCP servers. By default there are none, as in the replay of a tape. */
export const McpServers = Context.Reference<McpServersOfSettings>("@signalbox/server/mcp/McpServers", {
  defaultValue: () => ({ list: () => Effect.succeed([]), forSession: () => Effect.succeed(nothing) })
})

interface Entry {
  readonly name: string
  /** The folder of a project, for a server that belongs to one. */
  readonly folder?: string
  readonly server: McpServerSettings
}

/**
 * The servers that apply in a folder. A project's server replaces a general one of the same name. The server of a
 * nearer folder replaces one of a folder further up.
 */
const entriesFor = ({ mcpServers, projects }: Settings, cwd: string | undefined): ReadonlyArray<Entry> => {
  const entries = new Map<string, Entry>()
  for (const [name, server] of Object.entries(mcpServers)) entries.set(name, { name, server })
  const above = Object.entries(projects)
    .map(([folder, project]) => ({ folder, project, path: resolve(folder) }))
    .filter(({ path }) => cwd !== undefined && isWithin(path, resolve(cwd)))
    .sort((one, other) => one.path.length - other.path.length)
  for (const { folder, project } of above)
    for (const [name, server] of Object.entries(project.mcpServers ?? {})) entries.set(name, { name, folder, server })
  return [...entries.values()]
}

const isEnabled = ({ server }: Entry): boolean => server.enabled !== false

/** A server as people see it: with references, but without their values. */
const infoOf = Effect.fnUntraced(function* (entry: Entry): Effect.fn.Return<McpServerInfo> {
  const { folder, name, server } = entry
  const readiness = yield* readinessOf(entry.name, entry.server)
  return {
    name,
    ...(folder === undefined ? { scope: "user" } : { scope: "project", folder }),
    connection: connectionOf(server),
    enabled: isEnabled(entry),
    ...(Result.isFailure(readiness) && { problem: readiness.failure })
  }
})

const connectionOf = (server: McpServerSettings): McpServerInfo["connection"] => {
  if ("url" in server) {
    const headers = Object.keys(server.headers ?? {})
    return { type: server.type, url: Redaction.text(server.url), ...(headers.length > 0 && { headers }) }
  }
  const env = Object.keys(server.env ?? {})
  const commandLine = CommandLine.display([server.command, ...Redaction.argv(server.args ?? [])])
  return { type: "stdio", commandLine, ...(env.length > 0 && { env }) }
}

export const layer = Layer.effect(
  McpServers,
  Effect.gen(function* () {
    const { read } = yield* SettingsFile
    return {
      list: Effect.fn("McpServers.list")(function* (cwd) {
        const { settings } = yield* read
        return yield* Effect.forEach(entriesFor(settings, cwd), infoOf)
      }),
      forSession: Effect.fn("McpServers.forSession")(function* (cwd, names) {
        const { faults, settings } = yield* read
        const entries = entriesFor(settings, cwd)
        const wanted =
          names === undefined ? entries.filter(isEnabled) : entries.filter(({ name }) => names.includes(name))
        const found = yield* Effect.forEach(wanted, (entry) =>
          Effect.map(readinessOf(entry.name, entry.server), (readiness) => ({ name: entry.name, readiness }))
        )
        const unknown = (names ?? []).filter((name) => !entries.some((entry) => entry.name === name))
        const wrong = faults.flatMap(({ entry: [section, name] }) =>
          section === "mcpServers" && name !== undefined && names === undefined ? [String(name)] : []
        )
        const ready = found.flatMap(({ readiness }) => (Result.isSuccess(readiness) ? [readiness.success] : []))
        return {
          ready: ready.map(({ server }) => server),
          secrets: ready.flatMap(({ secrets }) => secrets),
          leftOut: [
            ...found.flatMap(({ name, readiness }) =>
              Result.isFailure(readiness) ? [{ name, reason: readiness.failure }] : []
            ),
            ...unknown.map((name) => ({ name, reason: "The settings hold none of this name that is in force." })),
            ...wrong.map((name) => ({ name, reason: "What the settings say of it is not in force." }))
          ]
        }
      })
    } satisfies McpServersOfSettings
  })
)
