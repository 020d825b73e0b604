import type { Setup } from "@signalbox/stand-in-agents/scripted/Script"

/** opencode 1.18: `session/fork` tells the history of the copy before it is answered, as updates of a session that nobody knows yet. */
export const opencodeFork: Setup = {
  fork: {
    replay: [
      { user: "List the files" },
      { text: "There are two.", messageId: "msg_1" },
      { user: "Which are they?" },
      { text: "One and another.", messageId: "msg_2" }
    ]
  }
}
