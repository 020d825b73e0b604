import type { Setup } from "@signalbox/stand-in-agents/scripted/Script"

const refused = {
  code: -32_000,
  message: "Authentication required: it can't be done over ACP. Please run `agent login` from your terminal."
}

/** auggie 0.36.0 without an account: it names no way to sign in, and a command in the words of its refusal. */
export const auggieLogin: Setup = {
  initialize: { authMethods: [], agentInfo: { name: "auggie", title: "Auggie Agent", version: "0.36.0" } },
  newSessionErrors: [refused, refused]
}
