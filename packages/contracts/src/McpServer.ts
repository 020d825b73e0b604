/**
 * Servers of the Model Context Protocol for agents, as people see them. They never include values of variables and
 * headers.
 */
import * as Schema from "effect/Schema"

/** The scope of a server in the settings: all threads, or those of one folder, which has priority. */
const McpScope = Schema.Literals(["user", "project"])
export type McpScope = typeof McpScope.Type

/** How agents connect to a server. Text that looks like a secret is removed from addresses and arguments. */
export const McpConnection = Schema.Union([
  /** The agent starts the server. `commandLine`: as people type it. `env`: the names of its variables. */
  Schema.Struct({
    type: Schema.tag("stdio"),
    commandLine: Schema.String,
    env: Schema.optionalKey(Schema.Array(Schema.String))
  }),
  /** `headers`: only their names. */
  Schema.Struct({
    type: Schema.Literals(["http", "sse"]),
    url: Schema.String,
    headers: Schema.optionalKey(Schema.Array(Schema.String))
  })
])
export type McpConnection = typeof McpConnection.Type

export const McpServerInfo = Schema.Struct({
  /** Unique in a list. If two have one name, the project's server counts. */
  name: Schema.String,
  scope: McpScope,
  /** With scope `project`: the absolute folder in the settings. */
  folder: Schema.optionalKey(Schema.String),
  connection: McpConnection,
  /** Whether sessions get the server by default. */
  enabled: Schema.Boolean,
  /** The reason why agents can't get it now, in one sentence: e.g. its command is not found. */
  problem: Schema.optionalKey(Schema.String)
})
export type McpServerInfo = typeof McpServerInfo.Type
