/** The secret values in the settings: in the environments and headers of agents and of MCP servers. */
import type { McpServerSettings, Settings } from "@signalbox/contracts/Settings"
import * as SecretValues from "@signalbox/redaction/SecretValues"

export const of = ({ agents, mcpServers, projects, providerOptions }: Settings): ReadonlyArray<string> => [
  ...Object.values(agents).flatMap(({ env = {}, headers = {} }) => inBoth(env, headers)),
  ...[providerOptions, ...Object.values(agents).map((agent) => agent.providerOptions)].flatMap((options) =>
    inBoth(options?.cursor?.env ?? {}, {})
  ),
  ...[mcpServers, ...Object.values(projects).map((project) => project.mcpServers ?? {})]
    .flatMap((servers) => Object.values(servers))
    .flatMap(inServer)
]

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
