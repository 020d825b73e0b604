import type { JsonObject } from "@signalbox/stand-in-agents/Json"
import type { Setup, Step } from "@signalbox/stand-in-agents/scripted/Script"

const record = (name: string, text: string, recordId: string, more: JsonObject = {}): Step => ({
  update: {
    sessionUpdate: name,
    content: { type: "text", text },
    _meta: {
      ...more,
      timestamp: 1_795_171_657_676,
      qwenTranscript: { sourceRecordIds: [recordId], segmentId: `${recordId}:0` }
    }
  }
})

/** qwen-code 0.24: the history comes before the answer to `session/load`; empty pieces carry the usage of each answer. */
export const qwenHistory: Setup = {
  load: {
    replay: [
      record("user_message_chunk", "List the files", "r1"),
      record("agent_thought_chunk", "hm", "r2"),
      record("agent_message_chunk", "There are two.", "r2"),
      record("agent_message_chunk", "", "r2", { usage: { inputTokens: 1000, outputTokens: 8, totalTokens: 1008 } }),
      record("user_message_chunk", "No, show me the first", "r3"),
      record("agent_message_chunk", "", "r4", { usage: { inputTokens: 1000, outputTokens: 5, totalTokens: 1005 } }),
      record("agent_message_chunk", "It holds a 1.", "r5")
    ]
  }
}
