/**
 * codex-acp 2.6.0 and pi-acp 0.0.34 run a command in a terminal of their own: the call names a terminal that was never created with the
 * client, and output and exit come in `_meta`.
 */
export const ownTerminal = (command: string) => {
  const call = {
    toolCallId: "call_1",
    kind: "execute",
    title: command,
    content: [{ type: "terminal", terminalId: "call_1" }],
    rawInput: { command, cwd: "/" }
  }
  const options = [
    { optionId: "allow_once", name: "Yes", kind: "allow_once" },
    { optionId: "reject_once", name: "No", kind: "reject_once" }
  ]
  const _meta = {
    terminal_output_delta: { data: "signalbox\n", terminal_id: "call_1" },
    terminal_exit: { exit_code: 0, signal: null, terminal_id: "call_1" }
  }
  return [
    { update: { sessionUpdate: "tool_call", status: "in_progress", ...call } },
    { permission: { toolCall: { ...call, status: "pending" }, options } },
    { update: { sessionUpdate: "tool_call_update", toolCallId: "call_1", status: "completed", _meta } }
  ]
}
