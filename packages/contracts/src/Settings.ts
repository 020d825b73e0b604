/**
 * The settings that people make by hand, for all threads: `settings.json` in the state folder. Only people and
 * `signalbox agents` write it. A project's own files are never a source, since they would decide what runs on the
 * machine.
 */
import * as Schema from "effect/Schema"
import { ChainComponent } from "./ChainConfig.ts"
import { LanguageServerId } from "./LanguageFeatures.ts"
import { ProjectPath } from "./ProjectPath.ts"
import { AcpOptions, CursorOptions, PermissionProfile } from "./Provider.ts"
import { membersOf, SandboxSettings } from "./Sandbox.ts"

/** Agents that exist without settings. Threads use these names, so no other agent may have one of them. */
export const reservedNames = ["cursor", "cursor-simulated", "eliza", "signalbox-nes", "scripted", "custom"] as const

/** The name of an agent in settings, commands and records. */
export const AgentName = Schema.String.check(
  Schema.isPattern(/^[a-z0-9][a-z0-9-]{0,63}$/, {
    message: "Expected a name of small letters, digits and hyphens"
  }),
  Schema.makeFilter((name) =>
    reservedNames.some((reserved) => reserved === name) ? "This is the name of another agent" : undefined
  )
)
export type AgentName = typeof AgentName.Type

/** How a Cursor is started, with checks that people can act on. */
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

/** Most components of one chain. */
const mostComponents = 20

/** The components between people and an agent, nearest to people first. */
const ChainComponents = Schema.Array(ChainComponent).check(Schema.isMaxLength(mostComponents))

/** Start options of the agents with a driver, by kind. Also who answers what they ask, and the sandbox that they run in. */
export const ProviderSettings = Schema.Struct({
  cursor: Schema.optionalKey(
    Schema.Struct({
      ...CursorSettings.fields,
      permissions: Schema.optionalKey(PermissionProfile),
      sandbox: Schema.optionalKey(SandboxSettings),
      components: Schema.optionalKey(ChainComponents)
    })
  )
})
export type ProviderSettings = typeof ProviderSettings.Type

const besideProviderOptions: ReadonlySet<string> = new Set([
  "providerOptions",
  "name",
  "permissions",
  "sandbox",
  "components"
])

/** An agent for threads: how it is reached, and its rights. */
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
  /** In place of a command or a url: another agent of a known kind, such as Cursor with a second account. */
  providerOptions: Schema.optionalKey(Schema.Struct({ cursor: CursorSettings })),
  /** The sandbox that its programs run in. Default: none. */
  sandbox: Schema.optionalKey(SandboxSettings),
  /** The components between people and the agent, nearest to people first. Default: none. */
  components: Schema.optionalKey(ChainComponents),
  /** The name for people. Default: the name in the settings. */
  name: Schema.optionalKey(Schema.NonEmptyString),
  /** The registry entry that it came from, and its version. */
  registry: Schema.optionalKey(Schema.Struct({ id: Schema.NonEmptyString, version: Schema.NonEmptyString }))
}).check(
  Schema.makeFilter((agent) => {
    const given = [agent.command, agent.url, agent.providerOptions].filter((way) => way !== undefined)
    if (given.length !== 1) return "Expected one of command, url and providerOptions"
    if (agent.url !== undefined && membersOf(agent.sandbox) !== undefined)
      return "Expected no sandbox for an agent that runs elsewhere"
    if (agent.providerOptions === undefined) return undefined
    const other = Object.keys(agent).find((member) => !besideProviderOptions.has(member))
    return other === undefined ? undefined : `Expected no ${other} beside providerOptions`
  })
)
export type AgentSettings = typeof AgentSettings.Type

const Texts = Schema.Record(Schema.String, Schema.String)

/** Whether sessions get the server by default. Default: true. */
const enabled = Schema.optionalKey(Schema.Boolean)

/**
 * A server of the Model Context Protocol for agents, reached over the network. `${env:NAME}` in any of its texts stands
 * for a variable of our own environment, so the file needs no secrets.
 */
export const RemoteMcpServer = Schema.Struct({
  type: Schema.Literals(["http", "sse"]),
  url: Schema.NonEmptyString,
  headers: Schema.optionalKey(Texts),
  enabled
})

export type RemoteMcpServer = typeof RemoteMcpServer.Type

/** A server that agents start themselves. */
export const LocalMcpServer = Schema.Struct({
  /** The type, which the settings of other clients have. */
  type: Schema.optionalKey(Schema.Literal("stdio")),
  /** A program, by its name or its absolute path. */
  command: Schema.NonEmptyString,
  args: Schema.optionalKey(Schema.Array(Schema.String)),
  env: Schema.optionalKey(Texts),
  enabled
})

export type LocalMcpServer = typeof LocalMcpServer.Type

export const McpServerSettings = Schema.Union([RemoteMcpServer, LocalMcpServer])
export type McpServerSettings = typeof McpServerSettings.Type

/** Settings for threads in one folder and below it, in addition to the general ones. */
export const ProjectSettings = Schema.Struct({
  mcpServers: Schema.optionalKey(Schema.Record(Schema.String, McpServerSettings))
})
export type ProjectSettings = typeof ProjectSettings.Type

/**
 * Most MiB that are stored of one turn: its texts, and the input and output of its tools. The rest is left out, and the
 * transcript says so.
 */
export const TurnLimit = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 4096 }))
export const defaultTurnLimitMiB = 64

/**
 * Minutes without work after which an agent ends, if its session can be resumed. Work is a turn, a request or a sign of
 * life; 0: never.
 */
export const IdleMinutes = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 10_080 }))
export const defaultIdleMinutes = 30

/** Milliseconds that a question for suggestions waits for the next keystroke. */
export const defaultDebounceMs = 150

/** Next edit suggestions in editors. Without a provider there are none. */
export const SuggestionSettings = Schema.Struct({
  /** The name of the agent that is asked. */
  provider: Schema.optionalKey(Schema.NonEmptyString),
  /** Whether pages make no suggestions, though an agent is named. Default: false. */
  off: Schema.optionalKey(Schema.Boolean),
  /** Milliseconds that a question waits for the next keystroke. Default: 150. */
  debounce: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 10_000 }))),
  /** Whether what people edit, and what is suggested, is written to files that can be replayed. Default: false. */
  record: Schema.optionalKey(Schema.Boolean),
  /** Names of files that are never sent, in addition to the list that is always in force. `*` stands for any characters of a name. */
  neverSend: Schema.optionalKey(
    Schema.Array(
      Schema.String.check(
        Schema.isPattern(/^(?!~\/)[^\s!/][^\p{Cc}{}]{0,199}$/u, {
          message: "Expected a name such as *.key, or a folder and a name, such as private/*.json"
        })
      )
    ).check(Schema.isMaxLength(200))
  )
})
export type SuggestionSettings = typeof SuggestionSettings.Type

/** Most language servers that run at once. The one that was asked longest ago ends first. */
export const LanguageServerLimit = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 }))
export const defaultLanguageServers = 10

/**
 * A language server that is turned on. What an entry of a known server leaves out is as Signalbox knows it, so `{}` is
 * enough there. Programs of a project are started only where an entry names them.
 */
export const LanguageServerSettings = Schema.Struct({
  /** Whether the server is turned off, and the entry is kept. Default: false. */
  off: Schema.optionalKey(Schema.Boolean),
  /** A program, by its name or its absolute path. */
  command: Schema.optionalKey(Schema.NonEmptyString),
  args: Schema.optionalKey(Schema.Array(Schema.String)),
  env: Schema.optionalKey(Texts),
  /** The languages that it knows, as the protocol names them: `typescriptreact`. */
  languages: Schema.optionalKey(Schema.Array(Schema.NonEmptyString).check(Schema.isMaxLength(50))),
  /** Names of files that stand in the folder of a project. The nearest such folder above a file is its root. */
  rootMarkers: Schema.optionalKey(Schema.Array(Schema.NonEmptyString).check(Schema.isMaxLength(50))),
  /** What it gets when it is initialized. */
  initializationOptions: Schema.optionalKey(Schema.Json),
  /** What it gets when it asks for its configuration, by section. */
  settings: Schema.optionalKey(Schema.Json)
})
export type LanguageServerSettings = typeof LanguageServerSettings.Type

/** The whole file. Each entry is checked separately, so an invalid one does not affect the others. */
export const Settings = Schema.Struct({
  agents: Schema.Record(AgentName, AgentSettings),
  mcpServers: Schema.Record(Schema.NonEmptyString, McpServerSettings),
  projects: Schema.Record(ProjectPath, ProjectSettings),
  /** The options of the built-in agents. */
  providerOptions: Schema.optionalKey(ProviderSettings),
  turnLimitMiB: Schema.optionalKey(TurnLimit),
  idleMinutes: Schema.optionalKey(IdleMinutes),
  suggestions: Schema.optionalKey(SuggestionSettings),
  /** Language servers that are turned on, by name. */
  languageServers: Schema.Record(LanguageServerId, LanguageServerSettings),
  languageServerLimit: Schema.optionalKey(LanguageServerLimit)
})
export type Settings = typeof Settings.Type
