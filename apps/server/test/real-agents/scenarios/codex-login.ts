import type { Setup } from "@signalbox/stand-in-agents/scripted/Script"

const key = { id: "api-key", name: "API Key", description: "Use an API key", _meta: { "api-key": { provider: "x" } } }
const code = { id: "device-code", name: "Device code", description: "Open a page and enter a code" }

/** codex-acp 2.6.0: it offers its device code only to a client that says it can ask people. */
export const codexLogin: Setup = {
  initialize: { authMethods: [key] },
  initializeAsking: { authMethods: [key, code] }
}
