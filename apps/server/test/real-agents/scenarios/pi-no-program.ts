import type { Setup } from "@signalbox/stand-in-agents/scripted/Script"

/** pi-acp 0.0.34 without pi: it names a way to sign in, and opens no session for another reason, which it says. */
export const piNoProgram: Setup = {
  initialize: { authMethods: [{ id: "pi_terminal_login", name: "Launch pi in the terminal", type: "terminal" }] },
  errors: { "session/new": { code: -32_603, message: "Could not start pi: there is no such program" } }
}
