import type { Setup } from "@signalbox/stand-in-agents/scripted/Script"

/** opencode 1.18.33 and kilo 7.7.7: their way to sign in has no type, is accepted at once and does nothing; its description says what to do. */
export const opencodeLogin: Setup = {
  initialize: {
    authMethods: [
      { description: "Run `agent auth login` in the terminal", name: "Login with the agent", id: "agent-login" }
    ],
    agentInfo: { name: "OpenCode", version: "1.18.33" }
  }
}
