/** The secret values in the settings: of agents and their components, and of MCP servers. */
import type { ChainComponent } from "@signalbox/contracts/ChainConfig"
import type { McpServerSettings, Settings } from "@signalbox/contracts/Settings"
import * as SecretValues from "@signalbox/redaction/SecretValues"

export const of = ({ agents, mcpServers, projects, providerOptions }: Settings): ReadonlyArray<string> => [
  ...Object.values(agents).flatMap(({ env = {}, headers = {} }) => inBoth(env, headers)),
  ...[providerOptions, ...Object.values(agents).map((agent) => agent.providerOptions)].flatMap((options) =>
    inBoth(options?.cursor?.env ?? {}, {})
  ),
  ...[providerOptions?.cursor, ...Object.values(agents)].flatMap((agent) => inComponents(agent?.components ?? [])),
  ...[mcpServers, ...Object.values(projects).map((project) => project.mcpServers ?? {})]
    .flatMap((servers) => Object.values(servers))
    .flatMap(inServer)
]

/** The secret values of components: in their environments and arguments. */
export const inComponents = (components: ReadonlyArray<ChainComponent>): ReadonlyArray<string> =>
  components.flatMap((one) =>
    "component" in one
      ? SecretValues.ofArguments(one.args ?? [])
      : [...SecretValues.ofEnvironment(one.env ?? {}), ...SecretValues.ofArguments(one.args ?? [])]
  )

const inServer = (server: McpServerSettings): ReadonlyArray<string> =>
  "url" in server ? inBoth({}, server.headers ?? {}) : inBoth(server.env ?? {}, {})

/** In `Bearer abc`, the part behind the scheme is a secret of its own. */
const inBoth = (
  env: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>>
): ReadonlyArray<string> => [
  ...SecretValues.ofEnvironment(env),
  ...SecretValues.ofEnvironment(headers).flatMap((value) => [value, value.slice(value.lastIndexOf(" ") + 1)])
]
