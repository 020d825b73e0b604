import type { Setup } from "@signalbox/stand-in-agents/scripted/Script"

/** qwen-code 0.24.4 with an account whose login has run out: it says so in the details of an internal error, at its first session. */
const expired = {
  code: -32_603,
  message: "Internal error",
  data: { details: "Qwen OAuth credentials expired. Please sign in again." }
}

export const qwenExpired: Setup = {
  initialize: { agentInfo: { name: "qwen-code", title: "Qwen Code", version: "0.24.4" } },
  newSessionErrors: [expired, expired]
}
