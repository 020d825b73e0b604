import type { Step } from "@signalbox/stand-in-agents/scripted/Script"

const toolCallId = "call_fake000004"

/**
 * cline, `run_commands`: updates come before the call is announced, and several commands are one call. Each of them has its result in a
 * list. A command that ends with a code is no success, and its reason says the code.
 */
export const clineShell = (
  results: ReadonlyArray<{ readonly [name: string]: string | boolean }>
): ReadonlyArray<Step> => {
  const about = {
    title: "run_commands: ls nowhere",
    kind: "execute",
    status: "pending",
    rawInput: { commands: ["ls nowhere"] }
  }
  const change = (more: Step["update"]): Step => ({
    update: { sessionUpdate: "tool_call_update", toolCallId, ...more }
  })
  return [
    change(about),
    change({ status: "in_progress" }),
    { update: { sessionUpdate: "tool_call", toolCallId, ...about } },
    change({ status: "completed", rawOutput: [...results] })
  ]
}
