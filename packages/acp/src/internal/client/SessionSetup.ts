/** What opens a session (new, load, resume, fork), put as the protocol has it (ACP v1, session setup). */
import { CapabilityMissing, InvalidRequest } from "../protocol/AcpError.ts"
import type { AgentCapabilities, McpServer, SystemPrompt } from "../generated/v1.ts"
import * as Capabilities from "../protocol/Capabilities.ts"

export interface SessionSetup {
  readonly cwd: string
  readonly additionalDirectories?: ReadonlyArray<string>
  readonly mcpServers?: ReadonlyArray<McpServer>
  readonly systemPrompt?: SystemPrompt | null
}

/** POSIX, drive letter or UNC. */
export const isAbsolute = (path: string): boolean => /^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(path)

/** Why this must not be sent: the protocol forbids it, or the agent does not offer what it needs. */
export const refusal = (
  agent: AgentCapabilities,
  method: string,
  setup: SessionSetup
): CapabilityMissing | InvalidRequest | undefined => {
  const message = wrong(setup)
  if (message !== undefined) return new InvalidRequest({ method, message })
  const capability = Capabilities.missingForSession(agent, setup)
  return capability === undefined ? undefined : new CapabilityMissing({ method, capability })
}

const wrong = ({ additionalDirectories, cwd, mcpServers, systemPrompt }: SessionSetup): string | undefined => {
  if (!isAbsolute(cwd)) return `cwd has to be absolute: ${cwd}`
  const relative = additionalDirectories?.find((directory) => !isAbsolute(directory))
  if (relative !== undefined) return `An additional directory has to be absolute: ${relative}`
  for (const server of mcpServers ?? []) {
    if (isStdio(server) && !isAbsolute(server.command)) {
      return `The command of the MCP server ${server.name} has to be absolute: ${server.command}`
    }
  }
  if (systemPrompt === undefined || systemPrompt === null) return undefined
  if (systemPrompt.content.length === 0) return "A system prompt needs a block of text"
  const other = systemPrompt.content.find(({ type }) => type !== "text")
  return other === undefined ? undefined : `A system prompt is made of text, not of ${other.type}`
}

type McpServerOfStdio = Extract<McpServer, { readonly command: string }>

const isStdio = (server: McpServer): server is McpServerOfStdio => "command" in server

/** The set-up as it is sent: each root once and without the working directory, a server of stdio without a type. */
export const normalized = <Setup extends SessionSetup>(setup: Setup): Setup => {
  const { additionalDirectories, cwd, mcpServers } = setup
  return {
    ...setup,
    ...(additionalDirectories && { additionalDirectories: otherRoots(cwd, additionalDirectories) }),
    ...(mcpServers && { mcpServers: mcpServers.map(withoutType) })
  }
}

const otherRoots = (cwd: string, directories: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...new Set(directories)].filter((directory) => directory !== cwd)

/** Configurations say `"type": "stdio"`; version 1 of the protocol does not. */
const withoutType = (server: McpServer): McpServer => {
  if (!isStdio(server)) return server
  const { type: _, ...rest } = server
  return rest
}
