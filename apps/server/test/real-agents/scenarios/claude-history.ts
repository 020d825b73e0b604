import type { Setup, Step } from "@signalbox/stand-in-agents/scripted/Script"

const said = (text: string, messageId: string): Step => ({
  update: { sessionUpdate: "user_message_chunk", content: { type: "text", text }, messageId }
})

/**
 * claude-agent-acp 0.100.0: the history comes before the answer to `session/load`. Each prompt has an id of its own, other ones than
 * the answers.
 */
export const claudeHistory: Setup = {
  load: {
    replay: [
      said("List the files", "31f1babd-0000-4000-8000-000000000001"),
      { thought: "hm", messageId: "msg_000079" },
      { text: "There are two.", messageId: "msg_000079" },
      said("Delete them all", "31f1babd-0000-4000-8000-000000000002"),
      said("No, show me the first", "31f1babd-0000-4000-8000-000000000003"),
      {
        update: {
          _meta: { claudeCode: { toolName: "Bash" } },
          sessionUpdate: "tool_call",
          toolCallId: "toolu_000083",
          name: "Bash",
          rawInput: { command: "cat one" },
          status: "pending",
          title: "cat one",
          kind: "execute",
          content: []
        }
      },
      {
        update: {
          _meta: { claudeCode: { toolName: "Bash" } },
          sessionUpdate: "tool_call_update",
          toolCallId: "toolu_000083",
          status: "completed",
          rawOutput: "1"
        }
      },
      { text: "It holds a 1.", messageId: "msg_000084" }
    ]
  }
}
