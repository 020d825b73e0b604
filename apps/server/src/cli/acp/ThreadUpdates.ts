/**
 * The updates that an editor needs to show a thread as it is now. Pure. It compares what was sent with the present state:
 * nothing is lost or sent twice, however many events came at once.
 */
import type * as Acp from "@signalbox/acp/AcpSchema"
import type { PlanEntry } from "@signalbox/contracts/AgentRequest"
import type { ItemId, TurnId } from "@signalbox/contracts/Ids"
import type { ItemView, ThreadView } from "@signalbox/contracts/ThreadView"
import { pathToFileURL } from "node:url"
import * as ConfigOptions from "./ConfigOptions.ts"
import { contentOf } from "./PromptContent.ts"
import * as ToolUpdate from "./ToolUpdate.ts"

type Head = Omit<ThreadView, "items">

/** What the editor knows: entries as they were when they were sent, and the head of the thread then. */
export interface Shown {
  readonly items: Map<ItemId, ItemView>
  head: Head | undefined
}

export interface Editor {
  /** Whether it can show settings that are on or off. */
  readonly booleans: boolean
  /** Whether it has sent this prompt itself, and so shows it already. */
  readonly hasSent: (turnId: TurnId) => boolean
  readonly terminalOf: ToolUpdate.TerminalOf
}

export const nothing = (): Shown => ({ items: new Map(), head: undefined })

/** Takes a thread as known, without sending it: a session that is resumed. */
export const know = (shown: Shown, view: ThreadView): void => {
  shown.head = view
  for (const item of view.items) shown.items.set(item.itemId, item)
}

/** The updates from what is shown to the present state. `shown` is the present state then. */
export const since = (shown: Shown, view: ThreadView, editor: Editor): ReadonlyArray<Acp.SessionUpdate> => [
  ...ofItems(shown, view.items, editor),
  ...ofHead(shown, view, editor)
]

/** The updates for entries in their order, e.g. of an earlier part of the thread. */
export const ofItems = (
  shown: Shown,
  items: ReadonlyArray<ItemView>,
  editor: Editor
): ReadonlyArray<Acp.SessionUpdate> => {
  const updates: Array<Acp.SessionUpdate> = []
  let messageId: string | undefined
  for (const item of items) {
    const before = shown.items.get(item.itemId)
    const isText = item.type === "message" || item.type === "thought"
    // The pieces of a long message are one message.
    const id = isText ? (messageId ?? item.itemId) : item.itemId
    messageId = isText && item.continued ? id : undefined
    if (before === item) continue
    shown.items.set(item.itemId, item)
    updates.push(...ofItem(item, before, id, editor))
  }
  return updates
}

const ofItem = (
  item: ItemView,
  before: ItemView | undefined,
  messageId: string,
  { hasSent, terminalOf }: Editor
): ReadonlyArray<Acp.SessionUpdate> => {
  switch (item.type) {
    case "prompt":
      if (before !== undefined || (item.turnId !== undefined && hasSent(item.turnId))) return []
      return chunks("user_message_chunk", item.prompt, messageId)
    case "message": {
      const known = before?.type === "message" ? before : { text: "", content: [] }
      return [
        ...chunks("agent_message_chunk", added(known.text, item.text), messageId),
        ...chunks("agent_message_chunk", item.content.slice(known.content.length), messageId)
      ]
    }
    case "thought":
      return chunks("agent_thought_chunk", added(before?.type === "thought" ? before.text : "", item.text), messageId)
    case "tool": {
      const toolCallId = item.itemId
      if (before?.type !== "tool")
        return [{ sessionUpdate: "tool_call", toolCallId, ...ToolUpdate.fieldsOf(item.tool, terminalOf) }]
      const news = ToolUpdate.changed(before.tool, item.tool, terminalOf)
      return news === undefined ? [] : [{ sessionUpdate: "tool_call_update", toolCallId, ...news }]
    }
    case "subagent":
      return [subagent(item, before)]
    case "compaction":
      return [
        {
          sessionUpdate: "compaction_update",
          compactionId: item.itemId,
          status: item.state === "running" ? "in_progress" : item.state,
          ...(item.summary !== undefined && { summary: [{ type: "text", text: item.summary }] }),
          ...(item.error !== undefined && { error: item.error })
        }
      ]
    case "file":
      // What Signalbox wrote for the agent is the agent's tool call, too.
      if (before !== undefined || item.written !== undefined) return []
      return chunks(
        "agent_message_chunk",
        [{ type: "resource_link", uri: pathToFileURL(item.path).href, name: item.path }],
        messageId
      )
    case "problem":
      return before === undefined ? notice("error", item.problem.title, item.problem.cause) : []
    case "warning":
      return before === undefined ? notice("warning", item.message, item.detail) : []
    case "session":
      if (before !== undefined || item.problem === undefined) return []
      return notice("warning", item.problem.title, item.problem.cause)
    case "request":
    case "unknown":
      return []
  }
}

type Spoken = "user_message_chunk" | "agent_message_chunk" | "agent_thought_chunk"

const chunks = (
  sessionUpdate: Spoken,
  parts: ReadonlyArray<Parameters<typeof contentOf>[0]>,
  messageId: string
): ReadonlyArray<Acp.SessionUpdate> =>
  parts.flatMap((part): ReadonlyArray<Acp.SessionUpdate> => {
    const content = contentOf(part)
    return content === undefined ? [] : [{ sessionUpdate, content, messageId }]
  })

const added = (before: string, now: string) =>
  now.length > before.length ? [{ type: "text" as const, text: now.slice(before.length) }] : []

/** A client that asks for notices gets them. For others, the page has them. */
const notice = (severity: string, title: string, description: string | undefined): ReadonlyArray<Acp.SessionUpdate> =>
  title === "" ? [] : [{ sessionUpdate: "notice", severity, title, ...(description !== undefined && { description }) }]

const subagentStatus = {
  running: "in_progress",
  background: "in_progress",
  completed: "completed",
  failed: "failed",
  cancelled: "failed"
} as const

/** A sub-agent is a call to an editor: it has a title, a state and last words. */
const subagent = (
  { activity, itemId, name, said, state, task }: Extract<ItemView, { readonly type: "subagent" }>,
  before: ItemView | undefined
): Acp.SessionUpdate => {
  const text = [task, activity, said].filter((part) => part !== undefined).join("\n\n")
  return {
    sessionUpdate: before === undefined ? "tool_call" : "tool_call_update",
    toolCallId: itemId,
    title: name,
    kind: "think",
    status: subagentStatus[state],
    content: text === "" ? [] : [{ type: "content", content: { type: "text", text } }]
  }
}

const ofHead = (shown: Shown, view: ThreadView, { booleans }: Editor): ReadonlyArray<Acp.SessionUpdate> => {
  const before = shown.head
  shown.head = view
  const updates: Array<Acp.SessionUpdate> = []
  if (choicesChanged(before, view, booleans)) {
    const modes = ConfigOptions.modesOf(view)
    if (modes !== undefined && modes.currentModeId !== (before && ConfigOptions.modesOf(before)?.currentModeId))
      updates.push({ sessionUpdate: "current_mode_update", currentModeId: modes.currentModeId })
    updates.push({
      sessionUpdate: "config_option_update",
      configOptions: ConfigOptions.optionsOf(view, booleans)
    })
  }
  if (before?.commands !== view.commands && (view.commands.length > 0 || (before?.commands.length ?? 0) > 0))
    updates.push({
      sessionUpdate: "available_commands_update",
      availableCommands: view.commands.map(({ description, hint, name }) => ({
        name,
        description,
        ...(hint !== undefined && { input: { hint } })
      }))
    })
  if (before?.plan !== view.plan && (view.plan.length > 0 || (before?.plan.length ?? 0) > 0))
    updates.push({ sessionUpdate: "plan", entries: view.plan.map(planEntry) })
  if (view.usage !== undefined && before?.usage !== view.usage)
    updates.push({ sessionUpdate: "usage_update", ...view.usage })
  if (view.title !== "" && before?.title !== view.title)
    updates.push({
      sessionUpdate: "session_info_update",
      title: view.title,
      updatedAt: new Date(view.updatedAt).toISOString()
    })
  return updates
}

const choicesChanged = (before: Head | undefined, now: Head, booleans: boolean): boolean => {
  if (before?.settings === now.settings && before.desired === now.desired && before.session === now.session)
    return false
  const known = before === undefined ? [] : ConfigOptions.optionsOf(before, booleans)
  return JSON.stringify(known) !== JSON.stringify(ConfigOptions.optionsOf(now, booleans))
}

/** The protocol has no state for a step that was given up. */
const planEntry = ({ content, priority, status }: PlanEntry): Acp.PlanEntry => ({
  content: status === "cancelled" ? `Given up: ${content}` : content,
  priority: priority === "high" || priority === "low" ? priority : "medium",
  status: status === "cancelled" ? "completed" : status
})
