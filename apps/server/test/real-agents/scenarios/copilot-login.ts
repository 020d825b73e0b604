import type { Setup } from "@signalbox/stand-in-agents/scripted/Script"

/** copilot 1.0.102: a way without a type that names a whole command line in `_meta`. Its program is another one than was started. */
export const copilotLogin = (command: string): Setup => ({
  initialize: {
    authMethods: [
      {
        id: "copilot-login",
        name: "Log in with Copilot CLI",
        description: "Run `copilot login` in the terminal",
        _meta: { "terminal-auth": { command, args: ["login"], label: "Copilot Login" } }
      }
    ],
    agentInfo: { name: "Copilot", title: "Copilot", version: "1.0.102" }
  },
  newSessionErrors: [{ code: -32_000, message: "Authentication required" }]
})
