import type { Setup } from "@signalbox/stand-in-agents/scripted/Script"

/**
 * copilot 1.0.102: the history comes before the answer to `session/load`, each message whole and without an id. Of a stopped turn only
 * the prompt is kept, so that it stands directly before the next.
 */
export const copilotHistory: Setup = {
  load: {
    replay: [
      { user: "List the files" },
      { text: "There are two." },
      { user: "Delete them all" },
      { user: "No, show me the first" },
      {
        update: {
          sessionUpdate: "tool_call",
          toolCallId: "call_000051",
          title: "Show the first file",
          kind: "execute",
          status: "pending",
          rawInput: { command: "cat one", description: "Show the first file" }
        }
      },
      {
        update: {
          sessionUpdate: "tool_call_update",
          toolCallId: "call_000051",
          status: "completed",
          content: [{ type: "content", content: { type: "text", text: "1\n<shellId: 0 completed with exit code 0>" } }],
          rawOutput: { content: "1\n<shellId: 0 completed with exit code 0>" }
        }
      },
      { text: "It holds a 1." }
    ]
  }
}
