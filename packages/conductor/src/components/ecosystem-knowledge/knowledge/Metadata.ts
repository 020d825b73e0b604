/** What a package says to agents in its manifest: `symposium` in `package.json`, `[package.metadata.symposium]` in `Cargo.toml`. */
import * as McpOverAcp from "@signalbox/acp/McpOverAcp"
import type { Warn } from "../dependencies/Dependency.ts"

/** A program that speaks MCP on its standard streams. Words that begin with `./` are paths in its package. */
export interface ServerDeclaration {
  readonly name: string
  readonly command: string
  readonly args: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string>>
}

export interface Metadata {
  /** Folders that hold folders of skills, relative to the package. */
  readonly skills: ReadonlyArray<string>
  /** Files for agents, relative to the package. */
  readonly context: ReadonlyArray<string>
  readonly servers: ReadonlyArray<ServerDeclaration>
  /** Another package that says more; undefined if none does. */
  readonly delegate?: string | undefined
}

const defaults: Metadata = { skills: ["skills"], context: [], servers: [] }

const mostEntries = 16
const mostCharacters = 1000
const mostWords = 64

const isText = (value: unknown): value is string =>
  typeof value === "string" && value !== "" && value.length <= mostCharacters && !value.includes("\0")

const isName = (value: string): boolean => /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(value)

const isVariable = (name: string): boolean => /^[A-Za-z_][A-Za-z0-9_]{0,99}$/.test(name)

const serverOf = (name: string, value: unknown): ServerDeclaration | undefined => {
  const { args = [], command, env = {} } = McpOverAcp.objectOf(value)
  if (!isName(name) || !isText(command)) return undefined
  if (!Array.isArray(args) || args.length > mostWords || !McpOverAcp.isJsonObject(env)) return undefined
  const words = args.filter((one) => typeof one === "string" && one.length <= mostCharacters && !one.includes("\0"))
  const variables = Object.entries(env).flatMap(([key, one]) =>
    isVariable(key) && typeof one === "string" && one.length <= mostCharacters && !one.includes("\0")
      ? [[key, one] as const]
      : []
  )
  if (words.length < args.length || variables.length < Object.keys(env).length || variables.length > mostWords)
    return undefined
  return { name, command, args: words, env: Object.fromEntries(variables) }
}

/**
 * Reads the metadata. A part that can't be read is replaced by its default, with a warning.
 *
 * @param warn gets clauses about the package
 */
export const of = (value: unknown, warn: Warn): Metadata => {
  if (value === undefined) return defaults
  if (!McpOverAcp.isJsonObject(value)) {
    warn("its symposium metadata is no object, so the defaults count")
    return defaults
  }
  const textsIn = (member: "skills" | "context"): ReadonlyArray<string> => {
    const found = value[member]
    if (found === undefined) return defaults[member]
    const texts = Array.isArray(found) ? found : [found]
    if (texts.length <= mostEntries && texts.every(isText)) return texts
    warn(`${member} in its symposium metadata is no path or list of up to ${mostEntries} paths, so the default counts`)
    return defaults[member]
  }
  const { mcpServers = {}, package: delegate } = value
  if (!McpOverAcp.isJsonObject(mcpServers)) warn("mcpServers in its symposium metadata is no object, so there are none")
  const servers = Object.entries(McpOverAcp.objectOf(mcpServers))
    .slice(0, mostEntries)
    .flatMap(([name, declared]) => {
      const server = serverOf(name, declared)
      if (server === undefined)
        warn(`its MCP server ${JSON.stringify(name.slice(0, 100))} is malformed, so it is left out`)
      return server ?? []
    })
  if (delegate !== undefined && !isText(delegate))
    warn("package in its symposium metadata is no name, so it is left out")
  return {
    skills: textsIn("skills"),
    context: textsIn("context"),
    servers,
    ...(isText(delegate) && { delegate })
  }
}
