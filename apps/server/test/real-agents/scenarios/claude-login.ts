import type { Setup } from "@signalbox/stand-in-agents/scripted/Script"

/**
 * claude-agent-acp 0.101.0 without an account and without a terminal: it names no way to sign in, since both of its ways need one. It opens
 * a session, and refuses the first prompt with −32000.
 */
export const claudeLogin: Setup = {
  initialize: { authMethods: [], agentInfo: { name: "@agentclientprotocol/claude-agent-acp", version: "0.101.0" } },
  prompts: [[{ error: { code: -32_000, message: "Authentication required" } }]]
}
