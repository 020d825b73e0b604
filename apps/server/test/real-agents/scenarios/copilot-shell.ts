import type { Step } from "@signalbox/stand-in-agents/scripted/Script"

const toolCallId = "call_fake000051"

/** copilot, `bash`: how the command ended stands in one of the parts beside the text. */
export const copilotShell = (cwd: string, code: number): ReadonlyArray<Step> => {
  const content = `no\n<shellId: 0 completed with exit code ${code}>`
  return [
    {
      update: {
        sessionUpdate: "tool_call",
        toolCallId,
        title: "Look for it",
        kind: "execute",
        status: "pending",
        rawInput: { command: "ls nowhere", description: "Look for it" }
      }
    },
    {
      update: {
        sessionUpdate: "tool_call_update",
        toolCallId,
        status: "completed",
        content: [{ type: "content", content: { type: "text", text: content } }],
        rawOutput: {
          content,
          detailedContent: content,
          contents: [{ type: "shell_exit", shellId: "0", exitCode: code, cwd, outputPreview: "no\n" }]
        }
      }
    }
  ]
}
