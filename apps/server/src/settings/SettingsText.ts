/** Reads and changes the text of `settings.json`. Pure; `SettingsFile` handles the file. */
import { decode, type Issue, issuesOf, type JsonPath, pathText } from "@signalbox/contracts/JsonIssues"
import type { Evidence, Problem } from "@signalbox/contracts/Problem"
import { LanguageServerId } from "@signalbox/contracts/LanguageFeatures"
import { ProjectPath } from "@signalbox/contracts/ProjectPath"
import {
  AgentName,
  AgentSettings,
  LocalMcpServer,
  type McpServerSettings,
  ProjectSettings,
  ProviderSettings,
  RemoteMcpServer,
  reservedNames,
  Settings,
  IdleMinutes,
  LanguageServerLimit,
  LanguageServerSettings,
  SuggestionSettings,
  TurnLimit
} from "@signalbox/contracts/Settings"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import { type JsonPlaces, scan } from "./JsonPlaces.ts"

/** A fault in the file. The faulty entry is not in force. */
export interface SettingsFault {
  /** The path of the faulty entry, such as `["agents", "mine"]`; empty for the whole file. */
  readonly entry: JsonPath
  readonly problem: Problem
}

/** The name of the faulty agent. Undefined for another fault, and for an entry with the name of a built-in agent. */
export const agentOf = ({ entry: [section, name] }: SettingsFault): string | undefined =>
  section !== "agents" || name === undefined || isReserved(name) ? undefined : String(name)

/** Whether a built-in agent has this name. */
export const isReserved = (name: string | number): boolean => reservedNames.some((reserved) => reserved === name)

export interface SettingsReading {
  readonly settings: Settings
  readonly faults: ReadonlyArray<SettingsFault>
}

export const noSettings: Settings = { agents: {}, mcpServers: {}, projects: {}, languageServers: {} }

/** The longest text. Nobody writes a longer file by hand. */
const maxCharacters = 1024 * 1024

type JsonObject = Readonly<Record<string, unknown>>

/** The members that hold entries by name. */
export type Section = "agents" | "languageServers" | "mcpServers" | "projects" | "providerOptions" | "suggestions"

const isObject = (value: unknown): value is JsonObject => Predicate.isObject(value) && !Array.isArray(value)

/** A fault of one entry, or of the whole file. */
const faultOf = (file: string, entry: JsonPath, what: string, evidence: Evidence = { path: file }): SettingsFault => ({
  entry,
  problem: {
    code: "config-invalid",
    title: entry.length === 0 ? "The settings can't be read." : `${pathText(entry)} in the settings is not in force.`,
    cause: what,
    evidence,
    nextSteps: [{ action: "run-command", label: `Correct ${file}; what you save is seen at once` }]
  }
})

/**
 * Reads the settings. Faulty entries are left out and reported. The reports never quote values, since these may be
 * secrets.
 */
export const read = (file: string, source: string): Result.Result<SettingsReading, Problem> => {
  const json = parse(file, source)
  return Result.map(json, ({ places, value }) => sections(file, value, places))
}

/** Changes the parsed file, so that unknown members are kept. Fails if the file can't be read. */
export const change = (
  file: string,
  source: string,
  edit: (settings: JsonObject) => JsonObject
): Result.Result<string, Problem> =>
  Result.map(parse(file, source), ({ value }) => `${JSON.stringify(edit(value), null, 2)}\n`)

/** The faults of an agent before it is added to the settings; empty if there are none. */
export const wrongIn = (name: string, agent: unknown): ReadonlyArray<string> =>
  Result.match(
    Result.flatMap(decode(AgentName, name), () => decode(AgentSettings, agent)),
    {
      onSuccess: () => [],
      onFailure: (error) =>
        issuesOf(error).map(({ message, path }) => `${pathText(["agents", name, ...path])}: ${message}.`)
    }
  )

/** The faults in the entry of an MCP server. */
export const wrongInServer = (name: string, server: unknown): ReadonlyArray<string> =>
  Result.match(mcpServer(server), {
    onSuccess: () => [],
    onFailure: (error) =>
      issuesOf(error).map(({ message, path }) => `${pathText(["mcpServers", name, ...path])}: ${message}.`)
  })

/** Sets or removes one entry of a section. */
export const withEntry =
  (section: Section, name: string, entry: unknown) =>
  (settings: JsonObject): JsonObject => {
    const before = settings[section]
    const { [name]: _, ...others } = isObject(before) ? before : {}
    return { ...settings, [section]: entry === undefined ? others : { ...others, [name]: entry } }
  }

const parse = (file: string, source: string) => {
  const text = source.replace(/^\uFEFF/, "")
  const fail = (cause: string) => Result.fail(faultOf(file, [], cause).problem)
  if (text.length > maxCharacters) return fail(`${file} is longer than a megabyte.`)
  // The file is new and still empty.
  if (text.trim() === "") return Result.succeed({ value: {}, places: scan("{}") })
  const places = scan(text)
  if (places.fault !== undefined) {
    const { column, expected, line } = places.fault
    return fail(`Line ${line}, column ${column}: expected ${expected}.`)
  }
  const value: unknown = JSON.parse(text)
  return isObject(value) ? Result.succeed({ value, places }) : fail("It has to be an object, in braces.")
}

type Decoded<A> = Result.Result<A, Schema.SchemaError>

const sections = (file: string, json: JsonObject, places: JsonPlaces): SettingsReading => {
  const faults: Array<SettingsFault> = []
  const tell = (entry: JsonPath, issues: ReadonlyArray<Issue>) => {
    const lines = issues.map(({ message, path }) => {
      const full = [...entry, ...path]
      return `Line ${places.at(full).line}, ${pathText(full)}: ${message}.`
    })
    faults.push(faultOf(file, entry, lines.join("\n")))
  }
  const entries = <A>(section: Section, entry: (name: string, value: unknown) => Decoded<A>) => {
    const given = json[section] ?? {}
    if (!isObject(given)) {
      tell([section], [{ path: [], message: "Expected an object, in braces" }])
      return {}
    }
    const good: Array<readonly [string, A]> = []
    for (const [name, value] of Object.entries(given)) {
      const decoded = entry(name, value)
      if (Result.isSuccess(decoded)) good.push([name, decoded.success])
      else tell([section, name], issuesOf(decoded.failure))
    }
    return Object.fromEntries(good)
  }
  const single = <A>(name: string, schema: Schema.ConstraintDecoder<A>): A | undefined => {
    if (json[name] === undefined) return undefined
    const decoded = decode(schema, json[name])
    if (Result.isSuccess(decoded)) return decoded.success
    tell([name], issuesOf(decoded.failure))
    return undefined
  }
  const turnLimitMiB = single("turnLimitMiB", TurnLimit)
  const idleMinutes = single("idleMinutes", IdleMinutes)
  const suggestions = single("suggestions", SuggestionSettings)
  const providerOptions = single("providerOptions", ProviderSettings)
  const languageServerLimit = single("languageServerLimit", LanguageServerLimit)
  const settings: Settings = {
    ...(providerOptions !== undefined && { providerOptions }),
    ...(turnLimitMiB !== undefined && { turnLimitMiB }),
    ...(idleMinutes !== undefined && { idleMinutes }),
    ...(suggestions !== undefined && { suggestions }),
    ...(languageServerLimit !== undefined && { languageServerLimit }),
    languageServers: entries("languageServers", (id, value) =>
      Result.flatMap(decode(LanguageServerId, id), () => decode(LanguageServerSettings, value))
    ),
    agents: entries("agents", (name, value) =>
      Result.flatMap(decode(AgentName, name), () => decode(AgentSettings, value))
    ),
    mcpServers: entries("mcpServers", (_, value) => mcpServer(value)),
    projects: entries("projects", (folder, value) =>
      Result.flatMap(decode(ProjectPath, folder), () => decode(ProjectSettings, value))
    )
  }
  for (const name of Object.keys(json)) {
    if (!Object.hasOwn(Settings.fields, name)) tell([name], [{ path: [], message: "This is not known here" }])
  }
  return { settings, faults }
}

/** Decodes an MCP server of one of two kinds. Faults are reported for the kind that its members show. */
const mcpServer = (value: unknown): Decoded<McpServerSettings> =>
  Predicate.hasProperty(value, "type") && value.type !== "stdio"
    ? decode(RemoteMcpServer, value)
    : decode(LocalMcpServer, value)
