/** `signalbox mcp`: the MCP servers of the settings. */
import type { McpServerInfo } from "@signalbox/contracts/McpServer"
import type { McpServerSettings, Settings } from "@signalbox/contracts/Settings"
import { Refused } from "@signalbox/contracts/Refused"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { resolve } from "node:path"
import * as Run from "../../compose/Run.ts"
import * as McpServers from "../../mcp/McpServers.ts"
import { oneLine } from "../../base/Plain.ts"
import { SettingsFile } from "../../settings/SettingsFile.ts"
import * as SettingsText from "../../settings/SettingsText.ts"
import { ExitCode } from "../terminal/ExitCode.ts"
import { failedWith, usage } from "../terminal/Failure.ts"
import { jsonText } from "../terminal/JsonText.ts"
import { problemShown } from "../terminal/ProblemText.ts"
import * as StateFolder from "../server/StateFolder.ts"
import * as Stdout from "../terminal/Stdout.ts"
import { type Column, table } from "../terminal/Table.ts"
import * as Terminal from "../terminal/Terminal.ts"

type Common = { readonly stateDir: Option.Option<string> }
type Named = Common & { readonly project: Option.Option<string>; readonly name: string }

export const listServers = Effect.fn("Mcp.list")(function* (
  flags: Common & { readonly cwd: string; readonly json: boolean }
) {
  const { faults, servers } = yield* Effect.gen(function* () {
    const servers = yield* (yield* McpServers.McpServers).list(resolve(flags.cwd))
    return { servers, faults: (yield* (yield* SettingsFile).read).faults }
  }).pipe(Effect.provide(Layer.provideMerge(McpServers.layer, settingsOf(flags))))
  const wrong = faults.filter(({ entry: [section] }) => section !== "agents")
  if (servers.length === 0 && wrong.length === 0 && !flags.json)
    return Terminal.err("There are no MCP servers in the settings.")
  const lines = flags.json ? servers.map((server) => jsonText(server)) : table(columns, servers)
  yield* Stdout.unlessNobodyReads(Stdout.write(lines.map((line) => `${line}\n`).join("")))
  if (!flags.json)
    for (const { name, problem } of servers) if (problem !== undefined) Terminal.err(`${name}: ${problem}`)
  for (const { problem } of wrong) Terminal.err(problemShown(problem))
  if (wrong.length > 0) process.exitCode = ExitCode.failed
})

export const stateOf = ({ enabled, problem }: McpServerInfo): string => {
  if (problem !== undefined) return "unusable"
  return enabled ? "on" : "off"
}

/** The command that starts the server, or its address. */
export const reachedBy = ({ connection }: McpServerInfo): string =>
  connection.type === "stdio" ? connection.commandLine : `${connection.url} (${connection.type})`

const columns: ReadonlyArray<Column<McpServerInfo>> = [
  { heading: "NAME", cell: ({ name }) => oneLine(name, 30) },
  { heading: "STATE", cell: stateOf },
  { heading: "FOR", cell: ({ folder }) => oneLine(folder ?? "all threads", 60) },
  { heading: "RUNS", cell: (server) => oneLine(reachedBy(server), 400) }
]

export interface AddFlags extends Named {
  readonly env: ReadonlyArray<string>
  readonly url: Option.Option<string>
  readonly sse: boolean
  readonly header: ReadonlyArray<string>
  readonly replace: boolean
  readonly command: ReadonlyArray<string>
}

export const addServer = Effect.fn("Mcp.add")(function* (flags: AddFlags) {
  const { name, replace } = flags
  const server = yield* serverOf(flags)
  const wrong = SettingsText.wrongInServer(name, server)
  if (wrong.length > 0) return yield* usage("mcp add", "This can't be put into the settings.", wrong)
  yield* onSettings(flags, (settings) =>
    Effect.gen(function* () {
      const { broken, servers } = yield* serversIn(settings, flags)
      if ((Object.hasOwn(servers, name) || broken.includes(name)) && !replace) {
        return yield* usage("mcp add", `There is a server ${name} already. To put this in its place, add --replace.`)
      }
      yield* put(settings, flags, server)
      Terminal.err(`${name} is in ${settings.path} now. Sessions that start from now on are given it.`)
    })
  )
})

export const removeServer = Effect.fn("Mcp.remove")(function* (flags: Named) {
  const { name } = flags
  yield* onSettings(flags, (settings) =>
    Effect.gen(function* () {
      const { broken, servers } = yield* serversIn(settings, flags)
      const names = [...Object.keys(servers), ...broken]
      if (!names.includes(name)) return yield* unknown("mcp remove", name, names)
      yield* put(settings, flags, undefined)
      Terminal.err(`${name} is no longer in ${settings.path}.`)
    })
  )
})

export const switchServer = Effect.fn("Mcp.switch")(function* (flags: Named & { readonly enabled: boolean }) {
  const { enabled, name } = flags
  yield* onSettings(flags, (settings) =>
    Effect.gen(function* () {
      const { servers } = yield* serversIn(settings, flags)
      const server = servers[name]
      if (server === undefined) {
        return yield* unknown(`mcp ${enabled ? "enable" : "disable"}`, name, Object.keys(servers))
      }
      const { enabled: _, ...rest } = server
      yield* put(settings, flags, enabled ? rest : { ...rest, enabled })
      Terminal.err(
        enabled
          ? `Sessions that start from now on are given ${name}.`
          : `Sessions that start from now on are given ${name} only where it was chosen.`
      )
    })
  )
})

const unknown = (command: string, name: string, names: ReadonlyArray<string>) =>
  usage(command, `The settings hold no server ${JSON.stringify(name)} there. They hold:`, names)

type Service = SettingsFile["Service"]

/**
 * Reads the MCP servers of all threads, or of one project. `broken`: names of entries that the settings hold and that
 * are not in force, since they are faulty.
 */
const serversIn = Effect.fnUntraced(function* ({ read }: Service, { project }: Named) {
  const { faults, settings } = yield* read
  const folder = folderOf(project)
  const fault = faults.find(
    ({ entry: [section, named] }) => section === undefined || (section === "projects" && named === folder)
  )
  if (fault !== undefined) return yield* failedWith(fault.problem)
  const broken = faults.flatMap(({ entry: [section, named] }) =>
    section === "mcpServers" && folder === undefined && named !== undefined ? [String(named)] : []
  )
  return { servers: within(settings, folder), broken }
})

const folderOf = (project: Option.Option<string>): string | undefined =>
  Option.getOrUndefined(Option.map(project, (folder) => resolve(folder)))

const within = ({ mcpServers, projects }: Settings, folder: string | undefined): Settings["mcpServers"] =>
  folder === undefined ? mcpServers : (projects[folder]?.mcpServers ?? {})

const put = Effect.fnUntraced(function* (
  { put, read }: Service,
  { name, project }: Named,
  server: McpServerSettings | undefined
) {
  const folder = folderOf(project)
  if (folder === undefined) return yield* put("mcpServers", name, server)
  const { settings } = yield* read
  const { [name]: _, ...others } = within(settings, folder)
  const mcpServers = server === undefined ? others : { ...others, [name]: server }
  const { mcpServers: __, ...rest } = settings.projects[folder] ?? {}
  const entry = { ...rest, ...(Object.keys(mcpServers).length > 0 && { mcpServers }) }
  return yield* put("projects", folder, Object.keys(entry).length > 0 ? entry : undefined)
})

const settingsOf = ({ stateDir }: Common) => Layer.unwrap(Effect.map(StateFolder.of(stateDir), Run.settingsLayer))

const onSettings = <A, E>(flags: Common, use: (settings: Service) => Effect.Effect<A, E>) =>
  Effect.flatMap(SettingsFile, use).pipe(
    Effect.catchIf(
      (error) => error instanceof Refused,
      ({ problem }) => failedWith(problem)
    ),
    Effect.provide(settingsOf(flags))
  )

/** The server as the settings hold it, with only the members that were given as flags. */
const serverOf = Effect.fnUntraced(function* (
  flags: AddFlags
): Effect.fn.Return<McpServerSettings, ReturnType<typeof usage>> {
  const [command, ...args] = flags.command
  const env = yield* pairs("--env", flags.env)
  const headers = yield* pairs("--header", flags.header)
  const url = Option.getOrUndefined(flags.url)
  if ((command === undefined) === (url === undefined)) {
    return yield* usage("mcp add", "A server has a command or a --url, and not both.")
  }
  if (url !== undefined) {
    if (flags.env.length > 0) return yield* usage("mcp add", "--env is for a server that is started.")
    return { type: flags.sse ? "sse" : "http", url, ...(flags.header.length > 0 && { headers }) }
  }
  if (flags.sse || flags.header.length > 0) return yield* usage("mcp add", "--sse and --header are for a --url.")
  return {
    // A relative path refers to the current folder, not to the folder of each thread.
    command: command?.includes("/") ? resolve(command) : (command ?? ""),
    ...(args.length > 0 && { args }),
    ...(flags.env.length > 0 && { env })
  }
})

const pairs = Effect.fnUntraced(function* (flag: string, texts: ReadonlyArray<string>) {
  const found = new Map<string, string>()
  for (const text of texts) {
    const at = text.indexOf("=")
    if (at < 1) return yield* usage("mcp add", `${flag} ${JSON.stringify(text)} is not of the form NAME=VALUE.`)
    found.set(text.slice(0, at), text.slice(at + 1))
  }
  return Object.fromEntries(found)
})
