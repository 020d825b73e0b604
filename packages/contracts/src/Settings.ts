/**
 * What people set up by hand, for all threads: `settings.json` in the state folder. It is written by people and by
 * `signalbox agents`, and never from what a project's own files say: those would decide what runs on the machine.
 */
import * as Schema from "effect/Schema"
import { Problem } from "./Problem.ts"
import { AcpOptions, CursorOptions } from "./Provider.ts"

/** Agents that can be named without any settings. Threads have them, so that no other may be called the same. */
export const reservedNames = ["cursor", "cursor-simulated", "eliza", "scripted", "custom"] as const

/** How an agent is called in settings, in commands and on record. */
export const AgentName = Schema.String.check(
  Schema.isPattern(/^[a-z0-9][a-z0-9-]{0,63}$/, {
    message: "Expected a name of small letters, digits and hyphens"
  }),
  Schema.makeFilter((name) =>
    reservedNames.some((reserved) => reserved === name) ? "This is the name of another agent" : undefined
  )
)
export type AgentName = typeof AgentName.Type

/** The folder of a project. */
export const ProjectPath = Schema.String.check(Schema.isStartingWith("/", { message: "Expected an absolute path" }))

/** How a Cursor is started, checked where people can correct it. */
const CursorSettings = Schema.Struct({
  ...CursorOptions.fields,
  binaryPath: Schema.optionalKey(
    Schema.String.check(
      Schema.isPattern(/^(~?\/.+|[^/]+)$/, {
        message: "Expected an absolute path, one that begins with ~/, or the name of a program"
      })
    )
  ),
  apiEndpoint: Schema.optionalKey(
    Schema.String.check(Schema.isPattern(/^https?:\/\/\S+$/, { message: "Expected a URL of http or https" }))
  )
})

/** How agents are started of which Signalbox knows how they are, by their kind. */
export const ProviderSettings = Schema.Struct({ cursor: Schema.optionalKey(CursorSettings) })
export type ProviderSettings = typeof ProviderSettings.Type

const besideProviderOptions: ReadonlySet<string> = new Set(["providerOptions", "name", "permissions"])

/** An agent that can be chosen for threads: how it is reached, and what it may do. */
export const AgentSettings = Schema.Struct({
  ...AcpOptions.fields,
  command: Schema.optionalKey(Schema.NonEmptyString),
  url: Schema.optionalKey(
    Schema.String.check(
      Schema.isPattern(/^(https?|wss?):\/\/\S+$/, { message: "Expected a URL of http, https, ws or wss" })
    )
  ),
  cwd: Schema.optionalKey(
    Schema.String.check(Schema.isPattern(/^(project$|\/)/, { message: 'Expected "project" or an absolute path' }))
  ),
  /** Instead of a command or a url: one more agent of a kind that Signalbox knows, such as Cursor with another account. */
  providerOptions: Schema.optionalKey(Schema.Struct({ cursor: CursorSettings })),
  /** The name that people see; the name in the settings unless given. */
  name: Schema.optionalKey(Schema.NonEmptyString),
  /** The entry of the registry that it came from, and its version. */
  registry: Schema.optionalKey(Schema.Struct({ id: Schema.NonEmptyString, version: Schema.NonEmptyString }))
}).check(
  Schema.makeFilter((agent) => {
    const given = [agent.command, agent.url, agent.providerOptions].filter((way) => way !== undefined)
    if (given.length !== 1) return "Expected one of command, url and providerOptions"
    if (agent.providerOptions === undefined) return undefined
    const other = Object.keys(agent).find((member) => !besideProviderOptions.has(member))
    return other === undefined ? undefined : `Expected no ${other} beside providerOptions`
  })
)
export type AgentSettings = typeof AgentSettings.Type

const Texts = Schema.Record(Schema.String, Schema.String)

/** Whether sessions have it unless their thread says otherwise; so it is unless given. */
const enabled = Schema.optionalKey(Schema.Boolean)

/**
 * A server of the Model Context Protocol that agents are told of, reached over the network. `${env:NAME}` in any text of such a server
 * stands for a variable of our own environment. So secrets need not be in the file.
 */
export const RemoteMcpServer = Schema.Struct({
  type: Schema.Literals(["http", "sse"]),
  url: Schema.NonEmptyString,
  headers: Schema.optionalKey(Texts),
  enabled
})

export type RemoteMcpServer = typeof RemoteMcpServer.Type

/** One that agents start themselves. */
export const LocalMcpServer = Schema.Struct({
  /** The type, which other clients' settings have. */
  type: Schema.optionalKey(Schema.Literal("stdio")),
  /** A program, by its name or by its absolute path. */
  command: Schema.NonEmptyString,
  args: Schema.optionalKey(Schema.Array(Schema.String)),
  env: Schema.optionalKey(Texts),
  enabled
})

export type LocalMcpServer = typeof LocalMcpServer.Type

export const McpServerSettings = Schema.Union([RemoteMcpServer, LocalMcpServer])
export type McpServerSettings = typeof McpServerSettings.Type

/** Settings for threads in one folder and below it, beside what holds everywhere. */
export const ProjectSettings = Schema.Struct({
  mcpServers: Schema.optionalKey(Schema.Record(Schema.String, McpServerSettings))
})
export type ProjectSettings = typeof ProjectSettings.Type

/** How much is kept of one turn: its texts, the input and output of its tools. In MiB; what is beyond is left out, and told. */
export const TurnLimit = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 4096 }))
export const defaultTurnLimitMiB = 64

/** After so many minutes without work an agent ends, if it can be resumed. Work is a turn, a request or a sign of life; 0: never. */
export const IdleMinutes = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 10_080 }))
export const defaultIdleMinutes = 30

/** The whole file. Each entry stands for itself: one that is wrong does not take the others with it. */
export const Settings = Schema.Struct({
  agents: Schema.Record(AgentName, AgentSettings),
  mcpServers: Schema.Record(Schema.NonEmptyString, McpServerSettings),
  projects: Schema.Record(ProjectPath, ProjectSettings),
  /** The options of the built-in agents. */
  providerOptions: Schema.optionalKey(ProviderSettings),
  turnLimitMiB: Schema.optionalKey(TurnLimit),
  idleMinutes: Schema.optionalKey(IdleMinutes)
})
export type Settings = typeof Settings.Type

/** How the file is: where it lies, and what is wrong with it. What is wrong is not in force; what was before stays. */
export const SettingsReport = Schema.Struct({ path: Schema.String, problems: Schema.Array(Problem) })
export type SettingsReport = typeof SettingsReport.Type
