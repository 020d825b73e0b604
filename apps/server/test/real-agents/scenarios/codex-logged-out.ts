import type { Setup } from "@signalbox/stand-in-agents/scripted/Script"

const wanted = { code: -32_000, message: "Authentication required: sign in first" }

/** codex-acp 2.6.0, gemini-cli 0.61.0 and cline 3.0.65 without an account: all that needs one is refused with −32000. */
export const codexLoggedOut: Setup = {
  authRequired: true,
  initialize: {
    agentCapabilities: { loadSession: true, sessionCapabilities: { list: {}, fork: {} } },
    authMethods: [{ id: "api-key", name: "API key" }]
  },
  errors: {
    "session/new": wanted,
    "session/list": wanted,
    "session/load": wanted,
    "session/fork": wanted
  }
}
