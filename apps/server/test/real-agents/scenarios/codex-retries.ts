import type { JsonObject } from "@signalbox/stand-in-agents/Json"
import type { Setup, Step } from "@signalbox/stand-in-agents/scripted/Script"

const info = (codex: JsonObject): Step => ({ update: { sessionUpdate: "session_info_update", _meta: { codex } } })

/**
 * codex-acp 2.6.0: each retry has a new id, and the reason stands in `_meta` of an update about the session. The last error comes as
 * text without an id.
 */
export const codexRetries: Setup = {
  prompts: [
    [
      info({ threadStatus: { type: "active", activeFlags: [] } }),
      { text: "I looked ", messageId: "msg_000004" },
      { text: "at the tests", messageId: "msg_000004" },
      info({
        error: {
          message: "Reconnecting... 1/1",
          codexErrorInfo: {},
          additionalDetails: "stream disconnected",
          willRetry: true
        }
      }),
      { text: "I looked ", messageId: "msg_000006" },
      { text: "at the tests", messageId: "msg_000006" },
      info({ threadStatus: { type: "systemError" } }),
      { text: "stream disconnected before completion: network error\n\n" }
    ]
  ]
}
