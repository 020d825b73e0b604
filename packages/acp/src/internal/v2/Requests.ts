/** Translates a client's requests between the versions; some are equal in both. */
import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import * as Acp from "../generated/v1.ts"
import * as Lenient from "../schema/Lenient.ts"
import * as ConfigOptions from "./ConfigOptions.ts"
import * as V2 from "../generated/v2.ts"
import * as Initialization from "./Initialization.ts"

/** Translates a request of version 1 to version 2, and its result back. */
export interface Translation {
  readonly method: string
  readonly params: (params: unknown) => unknown
  readonly result: (result: unknown) => unknown
  /** The first commands of a session, which version 1 has in an update. */
  readonly commands?: (result: unknown) => ReadonlyArray<V2.AvailableCommand>
}

const same = (value: unknown): unknown => value

/** Leaves unreadable values unchanged, so that their next reader reports the error. */
const reading = <A>(schema: Schema.Codec<A, unknown>, translate: (value: A) => unknown) => {
  const read = Lenient.reader(schema)
  return (value: unknown): unknown => {
    const reading = read(value)
    return Result.isSuccess(reading) ? translate(reading.success.value) : value
  }
}

const renamed = (method: string): Translation => ({ method, params: same, result: same })

/** The server in version 2, which has a type for stdio servers, too. */
const mcpServer = (server: Acp.McpServer) => {
  if (!("command" in server)) return server
  const { type: _, ...rest } = server
  return { type: "stdio", ...rest }
}

const setup = <A extends { readonly mcpServers?: ReadonlyArray<Acp.McpServer> }>(params: A) =>
  params.mcpServers === undefined ? params : { ...params, mcpServers: params.mcpServers.map(mcpServer) }

type Opened = Pick<V2.ResumeSessionResponse, "configOptions">

const opened = <A extends Opened>(result: A) => ({
  ...result,
  ...(result.configOptions && { configOptions: ConfigOptions.toV1(result.configOptions) })
})

const readCommands = Lenient.reader(V2.ResumeSessionResponse)

const commands = (result: unknown): ReadonlyArray<V2.AvailableCommand> => {
  const reading = readCommands(result)
  return Result.isSuccess(reading) ? (reading.success.value.availableCommands ?? []) : []
}

const opening = <A extends { readonly mcpServers?: ReadonlyArray<Acp.McpServer> }, B extends Opened>(
  method: string,
  params: Schema.Codec<A, unknown>,
  result: Schema.Codec<B, unknown>,
  more: object = {}
): Translation => ({
  method,
  params: reading(params, (given) => ({ ...setup(given), ...more })),
  result: reading(result, opened),
  commands
})

const translations: { readonly [method: string]: Translation | undefined } = {
  initialize: {
    method: "initialize",
    params: reading(Acp.InitializeRequest, Initialization.requestToV2),
    // An agent with another version answers in that version's form.
    result: reading(V2.InitializeResponse, (response) =>
      response.protocolVersion === 2 ? Initialization.responseToV1(response) : response
    )
  },
  authenticate: renamed("auth/login"),
  logout: renamed("auth/logout"),
  "session/new": opening("session/new", Acp.NewSessionRequest, V2.NewSessionResponse),
  "session/load": opening("session/resume", Acp.LoadSessionRequest, V2.ResumeSessionResponse, {
    replayFrom: { type: "start" }
  }),
  "session/resume": opening("session/resume", Acp.ResumeSessionRequest, V2.ResumeSessionResponse),
  "session/fork": opening("session/fork", Acp.ForkSessionRequest, V2.ForkSessionResponse),
  "session/set_config_option": {
    method: "session/set_config_option",
    params: reading(Acp.SetSessionConfigOptionRequest, ConfigOptions.settingToV2),
    result: reading(V2.SetSessionConfigOptionResponse, opened)
  }
}

/** Methods of version 1 that version 2 does not have. */
const gone: ReadonlySet<string> = new Set(["session/set_mode", "session/set_model"])

/** The translation of a method. Undefined if version 2 does not have it. */
export const translation = (method: string): Translation | undefined =>
  gone.has(method) ? undefined : (translations[method] ?? renamed(method))
