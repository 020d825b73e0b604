/** Servers of the Model Context Protocol that agents are told of, as people see them. Values of variables and headers are never here. */
import * as Schema from "effect/Schema"

/** The place of a server in the settings: for all threads, or for those of one folder, which comes first. */
const McpScope = Schema.Literals(["user", "project"])
export type McpScope = typeof McpScope.Type

/** How agents reach it. Addresses and arguments have what looks like a secret taken out. */
export const McpConnection = Schema.Union([
  /** The agent starts it. `commandLine` is as one would type it, `env` the names of its variables. */
  Schema.Struct({
    type: Schema.tag("stdio"),
    commandLine: Schema.String,
    env: Schema.optionalKey(Schema.Array(Schema.String))
  }),
  /** `headers`: their names. */
  Schema.Struct({
    type: Schema.Literals(["http", "sse"]),
    url: Schema.String,
    headers: Schema.optionalKey(Schema.Array(Schema.String))
  })
])
export type McpConnection = typeof McpConnection.Type

export const McpServerInfo = Schema.Struct({
  /** Unique in a list: of two with one name, the project's is the one. */
  name: Schema.String,
  scope: McpScope,
  /** With scope `project`: the folder under which the settings have it, absolute. */
  folder: Schema.optionalKey(Schema.String),
  connection: McpConnection,
  /** Whether sessions have it unless their thread says otherwise. */
  enabled: Schema.Boolean,
  /** Why it can't be given to agents now, in one sentence: its command is not found, a variable is not set. */
  problem: Schema.optionalKey(Schema.String)
})
export type McpServerInfo = typeof McpServerInfo.Type
