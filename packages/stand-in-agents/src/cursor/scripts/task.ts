import { announce } from "../Extensions.ts"
import { askPermission } from "../Permissions.ts"
import type { Script } from "../Script.ts"
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

/** Starts a sub-agent. `task bg` does not wait for it; the sub-agent asks for a permission after the turn has ended. */
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
    const shown = turn.emulator.client?.subagents === true
    const atWork = shown ? showChild(turn, tool.id, agentId) : turn.wait(durationMs)
    if (!background || !shown) await atWork
    tool.complete({ rawOutput: { durationMs, isBackground: background } })
    await Promise.all([atWork, finished(tool.id)])
  }
  if (background) {
    await turn.say("A sub-agent works on this in the background.")
    turn.afterwards(() => turn.emulator.timeline.after(500, () => void askLate(turn)))
  } else await turn.say("The simulated sub-agent has looked around and found nothing.")
}

/** Sends a `cursor/task` that names a tool call before its announcement. */
const late = async (turn: Turn, finished: (toolCallId: string) => Promise<void>): Promise<void> => {
  const announced = new Tool(turn, { kind: "other", generic, detail })
  await finished(announced.id)
  announced.open()
  announced.start()
  announced.complete({ rawOutput: { durationMs: 8123, isBackground: false } })
}

interface Child {
  /** The session that starts it. */
  readonly parent: string
  readonly name: string
  readonly task: string
  /** The id of the call that started it. */
  readonly toolCallId: string
  readonly agentId: string
}

/** Runs a sub-agent's session, announced on its parent's session. It ends with its work. */
const spawn = async (
  { emulator }: Turn,
  { agentId, name, parent, task, toolCallId }: Child,
  work: (child: string) => Promise<void>
): Promise<void> => {
  const child = emulator.random.uuid()
  const end = (state: string) =>
    emulator.update(parent, { sessionUpdate: "subagent_state_update", subagentSessionId: child, state })
  emulator.update(parent, {
    sessionUpdate: "subagent_spawned",
    subagentSessionId: child,
    name,
    task,
    capabilities: {},
    _meta: { cursor: { toolCallId, agentId, model } }
  })
  try {
    await work(child)
  } catch (aborted) {
    end("cancelled")
    throw aborted
  }
  end("completed")
}

/**
 * Shows the sub-agent to a client that wants to see it: it reads a file, and starts a sub-agent of its own. The
 * parent's prompt waits for their ends.
 */
const showChild = (turn: Turn, toolCallId: string, agentId: string): Promise<void> => {
  const { emulator, session } = turn
  const say = async (child: string, ...texts: ReadonlyArray<string>) => {
    for (const text of texts) {
      await turn.wait(500)
      emulator.update(child, { sessionUpdate: "agent_message_chunk", content: { type: "text", text } })
    }
  }
  const call = async (child: string, title: string, kind: string) => {
    const id = emulator.toolCallId()
    const status = (status: string) =>
      emulator.update(child, { sessionUpdate: "tool_call_update", toolCallId: id, status })
    emulator.update(child, { sessionUpdate: "tool_call", toolCallId: id, title, kind, status: "pending", rawInput: {} })
    status("in_progress")
    await turn.wait(250)
    status("completed")
    return id
  }
  return spawn(turn, { parent: session.id, name: "explore", task: prompt, toolCallId, agentId }, async (child) => {
    await say(child, "I look ", "around in the ", "repository.")
    await call(child, "Read README.md", "read")
    const id = await call(child, "Task: Count the files", "other")
    const below = { parent: child, name: "shell", task: "Count the files.", agentId: emulator.random.uuid() }
    await spawn(turn, { ...below, toolCallId: id }, async (grandchild) => {
      await call(grandchild, "`ls`", "execute")
      await say(grandchild, "There are few.")
    })
    await say(child, "It is ", "small.")
  })
}

/** Asks for a permission outside of turns, on the parent's session. */
const askLate = async (turn: Turn): Promise<void> => {
  const { emulator, session } = turn
  const command = "npm run lint"
  await askPermission(emulator, session, shellSubject(emulator.toolCallId(), command), (method, params) =>
    emulator.connection.request(method, params)
  )
}
