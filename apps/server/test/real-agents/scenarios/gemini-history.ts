import type { Setup, Step } from "@signalbox/stand-in-agents/scripted/Script"

const id = "run_shell_command__run_shell_command_1795171323008_0"

/** The piece that comes before the answer. */
const context: Step = {
  user: "<session_context>\nThis is the Gemini CLI. We are setting up the context for our chat.\nMy operating system is: linux\n</session_context>"
}

const rest: ReadonlyArray<Step> = [
  { user: "List the files" },
  { thought: "**Listing**\nhm" },
  {
    update: {
      sessionUpdate: "tool_call",
      toolCallId: id,
      status: "completed",
      title: "Shell",
      content: [],
      kind: "execute"
    }
  },
  { user: "[Function Response: run_shell_command]" },
  { text: "There are two." },
  { user: "Which are they?" },
  { text: "One and another." },
  { update: { sessionUpdate: "available_commands_update", availableCommands: [] } }
]

/**
 * gemini-cli 0.61.0: its description of the machine comes before the response to `session/load`, as a person's words.
 * The rest comes after it. A tool's result is also sent as a person's words.
 */
export const geminiHistory: Setup = { load: { replay: [context], replayAfter: rest } }
