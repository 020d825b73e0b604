import type { Setup } from "@signalbox/stand-in-agents/scripted/Script"

/**
 * opencode 1.18: sends the history of the copy before the response to `session/fork`, as updates of a still unknown
 * session.
 */
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
