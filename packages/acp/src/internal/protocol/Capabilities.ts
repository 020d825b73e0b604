/**
 * What may be asked of the other side, by what it said it can do. An omitted capability is an unsupported one
 * (ACP v1, initialization), and so is a malformed one.
 */
import type { AgentCapabilities, ClientCapabilities, ContentBlock, McpServer, SystemPrompt } from "../generated/v1.ts"

/** The name of the first capability that a request needs and that is not there. */
export type Missing = string | undefined

const has = (capability: unknown): boolean => capability !== undefined && capability !== null

/** Methods that need a capability as such. */
const methodNeeds: { readonly [method: string]: readonly [string, (agent: AgentCapabilities) => boolean] } = {
  "auth/status": ["auth.status", (agent) => has(agent.auth?.status)],
  logout: ["auth.logout", (agent) => has(agent.auth?.logout)],
  "providers/disable": ["providers", (agent) => has(agent.providers)],
  "providers/list": ["providers", (agent) => has(agent.providers)],
  "providers/set": ["providers", (agent) => has(agent.providers)],
  "session/archive": ["sessionCapabilities.archive", (agent) => has(agent.sessionCapabilities?.archive)],
  "session/close": ["sessionCapabilities.close", (agent) => has(agent.sessionCapabilities?.close)],
  "session/delete": ["sessionCapabilities.delete", (agent) => has(agent.sessionCapabilities?.delete)],
  "session/fork": ["sessionCapabilities.fork", (agent) => has(agent.sessionCapabilities?.fork)],
  "session/list": ["sessionCapabilities.list", (agent) => has(agent.sessionCapabilities?.list)],
  "session/load": ["loadSession", (agent) => agent.loadSession === true],
  "session/resume": ["sessionCapabilities.resume", (agent) => has(agent.sessionCapabilities?.resume)],
  "session/set_title": ["sessionCapabilities.title", (agent) => has(agent.sessionCapabilities?.title)],
  "session/status": ["sessionCapabilities.status", (agent) => has(agent.sessionCapabilities?.status)],
  "session/unarchive": ["sessionCapabilities.archive", (agent) => has(agent.sessionCapabilities?.archive)]
}

export const missingForMethod = (agent: AgentCapabilities, method: string): Missing => {
  const need = methodNeeds[method]
  return need === undefined || need[1](agent) ? undefined : need[0]
}

/** What starting a session in any way (new, load, resume, fork) may need. */
export const missingForSession = (
  agent: AgentCapabilities,
  params: {
    readonly additionalDirectories?: ReadonlyArray<string>
    readonly mcpServers?: ReadonlyArray<McpServer>
    readonly systemPrompt?: SystemPrompt | null
  }
): Missing => {
  const session = agent.sessionCapabilities
  if (params.additionalDirectories !== undefined && params.additionalDirectories.length > 0) {
    if (!has(session?.additionalDirectories)) return "sessionCapabilities.additionalDirectories"
  }
  if (has(params.systemPrompt)) {
    if (!has(session?.systemPrompt)) return "sessionCapabilities.systemPrompt"
    if (params.systemPrompt?.mode === "override" && !has(session?.systemPrompt?.mode?.override)) {
      return "sessionCapabilities.systemPrompt.mode.override"
    }
  }
  for (const { type } of params.mcpServers ?? []) {
    if (type === "http" && agent.mcpCapabilities?.http !== true) return "mcpCapabilities.http"
    if (type === "sse" && agent.mcpCapabilities?.sse !== true) return "mcpCapabilities.sse"
    if (type === "acp" && agent.mcpCapabilities?.acp !== true) return "mcpCapabilities.acp"
  }
  return undefined
}

/** Text and links are always allowed in a prompt; the rest has to be offered. */
export const missingForPrompt = (agent: AgentCapabilities, prompt: ReadonlyArray<ContentBlock>): Missing => {
  for (const { type } of prompt) {
    if (type === "image" && agent.promptCapabilities?.image !== true) return "promptCapabilities.image"
    if (type === "audio" && agent.promptCapabilities?.audio !== true) return "promptCapabilities.audio"
    if (type === "resource" && agent.promptCapabilities?.embeddedContext !== true) {
      return "promptCapabilities.embeddedContext"
    }
  }
  return undefined
}

/** What an agent may ask of a client. */
export const missingInClient = (client: ClientCapabilities, method: string): Missing => {
  if (method === "fs/read_text_file") return client.fs?.readTextFile === true ? undefined : "fs.readTextFile"
  if (method === "fs/write_text_file") return client.fs?.writeTextFile === true ? undefined : "fs.writeTextFile"
  if (method.startsWith("terminal/")) return client.terminal === true ? undefined : "terminal"
  return undefined
}

/** The kinds of updates that a client has to ask for; all others it always takes. */
const updateNeeds: { readonly [kind: string]: readonly [string, (client: ClientCapabilities) => boolean] } = {
  notice: ["session.notices", (client) => has(client.session?.notices)],
  compaction_update: ["session.compaction", (client) => has(client.session?.compaction)],
  compaction_summary_chunk: ["session.compaction", (client) => has(client.session?.compaction)],
  plan_update: ["plan", (client) => has(client.plan)],
  plan_removed: ["plan", (client) => has(client.plan)],
  subagent_update: ["subagents", (client) => has(client.subagents)],
  session_message: ["subagents", (client) => has(client.subagents)],
  session_message_chunk: ["subagents", (client) => has(client.subagents)]
}

export const missingForUpdate = (client: ClientCapabilities, kind: string): Missing => {
  const need = updateNeeds[kind]
  return need === undefined || need[1](client) ? undefined : need[0]
}

export const missingForElicitation = (client: ClientCapabilities, mode: string): Missing => {
  if (mode === "form") return has(client.elicitation?.form) ? undefined : "elicitation.form"
  if (mode === "url") return has(client.elicitation?.url) ? undefined : "elicitation.url"
  return undefined
}
