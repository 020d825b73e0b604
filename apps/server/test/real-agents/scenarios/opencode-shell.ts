import type { Step } from "@signalbox/stand-in-agents/scripted/Script"

const toolCallId = "call_fake000010"

/** opencode 1.18.33 and kilo 7.7.7, `bash`: the exit code stands in `rawOutput.metadata.exit` of a call that is called completed. */
export const opencodeShell = (cwd: string, code: number): ReadonlyArray<Step> => {
  const title = "ls nowhere"
  const output = "ls: nowhere: No such file\n"
  const about = { title, kind: "execute", locations: [{ path: cwd }], rawInput: { command: title, cwd } }
  const content = [{ type: "content", content: { type: "text", text: output } }]
  const change = (more: Step["update"]): Step => ({
    update: { sessionUpdate: "tool_call_update", toolCallId, ...more }
  })
  return [
    {
      update: {
        sessionUpdate: "tool_call",
        toolCallId,
        title: "bash",
        kind: "execute",
        status: "pending",
        locations: [{ path: cwd }],
        rawInput: { cwd }
      }
    },
    change({ status: "in_progress", ...about }),
    change({ status: "in_progress", ...about, content }),
    change({
      status: "completed",
      title,
      content,
      rawOutput: { output, metadata: { output, exit: code, truncated: false } }
    })
  ]
}
