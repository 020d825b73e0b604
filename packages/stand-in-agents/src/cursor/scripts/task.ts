import { announce } from "../Extensions.ts"
import { askPermission } from "../Permissions.ts"
import type { Script } from "../Scripts.ts"
import { Tool } from "../Tools.ts"
import type { Turn } from "../Turn.ts"
import { shellSubject } from "./shell.ts"

const description = "Explore the repository"
const prompt = "Find out how the repository is laid out."
const model = "composer-2.5"

const generic = { title: "Task: Subagent task", rawInput: { _toolName: "task" } }
const detail = {
  title: `Task: ${description}`,
  rawInput: { _toolName: "task", prompt, description, subagentType: "explore" }
}

/** Hands work to a sub-agent. `task bg` does not wait for it; it asks for a permission after the turn has ended. */
export const task: Script = async (turn, args) => {
  const background = args.get("bg") !== undefined || args.get("kind", 0) === "bg"
  const agentId = turn.emulator.random.uuid()
  const durationMs = background ? 200 : 8123
  const finished = (toolCallId: string) =>
    announce(turn, "cursor/task", {
      toolCallId,
      description,
      prompt,
      subagentType: "explore",
      model,
      agentId,
      durationMs
    })
  await turn.think("I will have a sub-agent look into this.")
  if (turn.quirks.has("task_late")) await late(turn, finished)
  else {
    const tool = Tool.open(turn, { kind: "other", generic, detail })
    tool.start()
    if (turn.emulator.client?.subagents === true) await showChild(turn, tool.id, agentId)
    else await turn.wait(durationMs)
    tool.complete({ rawOutput: { durationMs, isBackground: background } })
    await finished(tool.id)
  }
  if (background) {
    await turn.say("A sub-agent works on this in the background.")
    turn.afterwards(() => turn.emulator.timeline.after(500, () => void askLate(turn)))
  } else await turn.say("The simulated sub-agent has looked around and found nothing.")
}

/** `cursor/task` names a tool call that the client has not seen yet. */
const late = async (turn: Turn, finished: (toolCallId: string) => Promise<void>): Promise<void> => {
  const announced = new Tool(turn, { kind: "other", generic, detail })
  await finished(announced.id)
  announced.open()
  announced.start()
  announced.complete({ rawOutput: { durationMs: 8123, isBackground: false } })
}

/** The child's session, for clients that asked to see it; the parent is held until the child has ended. */
const showChild = async (turn: Turn, toolCallId: string, agentId: string): Promise<void> => {
  const { emulator } = turn
  const child = emulator.random.uuid()
  const end = (state: string) =>
    turn.update({ sessionUpdate: "subagent_state_update", subagentSessionId: child, state })
  turn.update({
    sessionUpdate: "subagent_spawned",
    subagentSessionId: child,
    name: "explore",
    task: prompt,
    capabilities: {},
    _meta: { cursor: { toolCallId, agentId, model } }
  })
  try {
    for (const text of ["I look ", "around in the ", "repository."]) {
      await turn.wait(500)
      emulator.update(child, { sessionUpdate: "agent_message_chunk", content: { type: "text", text } })
    }
  } catch (aborted) {
    end("cancelled")
    throw aborted
  }
  end("completed")
}

/** Outside of any turn, on the parent's session. */
const askLate = async (turn: Turn): Promise<void> => {
  const { emulator, session } = turn
  const command = "npm run lint"
  await askPermission(emulator, session, shellSubject(emulator.toolCallId(), command), (method, params) =>
    emulator.connection.request(method, params)
  )
}
