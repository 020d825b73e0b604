import type { Step } from "@signalbox/stand-in-agents/scripted/Script"

const toolCallId = "call_fake000006"

const change = (more: Step["update"]): Step => ({ update: { sessionUpdate: "tool_call_update", toolCallId, ...more } })

/**
 * pi-acp, `bash`: no input, the command is the title alone. The call names a terminal of its own; each piece that is printed comes in
 * `terminal_output`, and the exit code with the end of the call.
 */
export const piShell = (
  cwd: string,
  {
    code = 0,
    command = "echo hi",
    pieces = ["hi\n"]
  }: { readonly command?: string; readonly pieces?: ReadonlyArray<string>; readonly code?: number } = {}
): ReadonlyArray<Step> => [
  {
    update: {
      sessionUpdate: "tool_call",
      toolCallId,
      title: command,
      kind: "execute",
      status: "pending",
      content: [{ type: "terminal", terminalId: toolCallId }],
      _meta: { terminal_info: { terminal_id: toolCallId, cwd } }
    }
  },
  change({ title: command, kind: "execute", status: "in_progress" }),
  change({ status: "in_progress", _meta: {} }),
  ...pieces.map((data) =>
    change({ status: "in_progress", _meta: { terminal_output: { terminal_id: toolCallId, data } } })
  ),
  change({
    status: "completed",
    _meta: { terminal_exit: { terminal_id: toolCallId, exit_code: code, signal: null } }
  })
]
