import type { Step } from "@signalbox/stand-in-agents/scripted/Script"

const toolCallId = "call_fake000019"

/**
 * codex-acp 2.6.0, `exec_command`: the call names a terminal of its own under the call's id. It is asked for when it is called running
 * already. It reports output and exit code in `_meta` of an update that brings the tool's name.
 */
export const codexShell = (
  cwd: string,
  {
    code = 0,
    command = "echo hi",
    output = "hi\n"
  }: { readonly command?: string; readonly output?: string; readonly code?: number } = {}
): ReadonlyArray<Step> => {
  const about = { title: command, kind: "execute", rawInput: { command, cwd } }
  return [
    {
      update: {
        sessionUpdate: "tool_call",
        toolCallId,
        ...about,
        status: "in_progress",
        content: [{ type: "terminal", terminalId: toolCallId }],
        _meta: { terminal_info: { cwd, terminal_id: toolCallId } }
      }
    },
    {
      permission: {
        toolCall: { toolCallId, ...about, status: "pending" },
        options: [
          { optionId: "allow_once", name: "Yes, proceed", kind: "allow_once" },
          { optionId: "cancel", name: "No, and tell Codex what to do differently", kind: "reject_once" }
        ]
      },
      on: {
        allow_once: [
          {
            update: {
              sessionUpdate: "tool_call_update",
              toolCallId,
              name: "exec_command",
              status: "completed",
              _meta: {
                terminal_output_delta: { data: output, terminal_id: toolCallId },
                terminal_exit: { exit_code: code, signal: null, terminal_id: toolCallId }
              }
            }
          }
        ],
        cancel: [
          {
            update: { sessionUpdate: "tool_call_update", toolCallId, name: "exec_command", status: "completed" }
          }
        ]
      }
    }
  ]
}
