/**
 * Sub-agents with sessions of their own. Each is one entry in its parent's transcript, which summarises its words and
 * actions (ACP v1, unstable, subagents).
 */
import type {
  ContentBlock,
  SessionMessage,
  SessionMessageChunk,
  SessionUpdate,
  StateUpdate
} from "@signalbox/acp/AcpSchema"
import * as Subagents from "@signalbox/acp/Subagents"
import type { ParentSubagent } from "@signalbox/contracts/Subagent"
import { blockText } from "./ContentMapping.ts"
import * as EventSink from "./EventSink.ts"
import * as Strand from "./Strand.ts"

/** The visible state of a sub-agent. */
interface Shown {
  /** Names its entry within the strand. */
  readonly name: string
  /** The sub-agent that started this one. Undefined if the main agent did. */
  readonly parent: ParentSubagent | undefined
  /** The place in the transcript. It stays when the sub-agent changes. */
  readonly strand: Strand.Strand
  /** The title of its latest call. */
  activity: string | undefined
  /** Its text since that call. */
  said: string
  /** The task that a message gave it. A description in its announcement has priority. */
  task: string | undefined
  /** The number of characters of the task that the last event had. */
  told: number
}

type SubagentState = "running" | "cancelled" | "failed" | "completed"

interface Message {
  readonly from: string | undefined
  readonly to: string | undefined
  text: string
}

export interface State {
  /** Finds the call that started a sub-agent, in the `_meta` of its announcement. Both are one entry. */
  readonly callOf: (meta: unknown) => string | undefined
  /** Session ids of sub-agents by the calls that started them. */
  readonly byCall: Map<string, string>
  readonly known: Subagents.Subagents
  readonly shown: Map<string, Shown>
  /** Messages between sessions that may still grow. */
  readonly messages: Map<string, Message>
}

/** Most characters of a sub-agent's text. The end is kept, since it is the answer. */
const maxSaid = 16 * 1024
const maxMessages = 64
/** Most characters of a message, from its beginning. Later pieces only count as text of the sender. */
const maxMessage = 256 * 1024

export const make = (callOf: State["callOf"]): State => ({
  callOf,
  byCall: new Map(),
  known: Subagents.make(),
  shown: new Map(),
  messages: new Map()
})

/** Whether a session belongs to a sub-agent of any depth. */
export const isSubagent = ({ known }: State, sessionId: string): boolean => known.get(sessionId) !== undefined

/**
 * The state of the sub-agent that a call started, if its session reports one. The call itself knows only that it
 * started.
 */
export const stateOfCall = ({ byCall, known }: State, toolCallId: string): SubagentState | undefined => {
  const sessionId = byCall.get(toolCallId)
  const subagent = sessionId === undefined ? undefined : known.get(sessionId)
  return subagent === undefined ? undefined : stateOf(subagent.state)
}

/** Handles a session's report about one of its own sub-agents. */
export const announce = (
  state: State,
  strand: Strand.Strand,
  parentId: string,
  update: Extract<SessionUpdate, { readonly sessionUpdate: "subagent_update" }>,
  sink: EventSink.EventSink,
  line: number
): void => {
  if (!state.known.announce(parentId, update)) return
  if (!state.shown.has(update.sessionId)) Strand.endText(strand, sink, line)
  tell(state, shownOf(state, update.sessionId, strand), update.sessionId, sink, line)
}

/** Handles an update in a sub-agent's own session. Its plans, thoughts and settings are not shown. */
export const hear = (
  state: State,
  strand: Strand.Strand,
  sessionId: string,
  update: SessionUpdate,
  sink: EventSink.EventSink,
  line: number
): void => {
  const shown = shownOf(state, sessionId, strand)
  if (isBehind(shown)) tell(state, shown, sessionId, sink, line)
  if (update.sessionUpdate === "agent_message_chunk") say(shown, blockText(update.content))
  else if (update.sessionUpdate === "subagent_update") announce(state, strand, sessionId, update, sink, line)
  else if (update.sessionUpdate === "tool_call" || update.sessionUpdate === "tool_call_update") {
    const title = update.title ?? ""
    if (title === "" || title === shown.activity) return
    shown.activity = title
    shown.said = ""
    tell(state, shown, sessionId, sink, line)
  }
}

/** Handles a message between sessions: for the receiving sub-agent a task, for the sending one an answer. */
export const message = (
  state: State,
  { content, messageId, recipientSessionId, senderSessionId }: SessionMessage,
  sink: EventSink.EventSink,
  line: number
): void => {
  const text = content === undefined || content === null ? (state.messages.get(messageId)?.text ?? "") : textOf(content)
  const entry = { from: senderSessionId ?? undefined, to: recipientSessionId ?? undefined, text }
  state.messages.set(messageId, entry)
  for (const oldest of state.messages.keys()) {
    if (state.messages.size <= maxMessages) break
    state.messages.delete(oldest)
  }
  deliver(state, entry, sink, line)
}

export const messageChunk = (
  state: State,
  { content, messageId }: SessionMessageChunk,
  sink: EventSink.EventSink,
  line: number
): void => {
  const entry = state.messages.get(messageId)
  if (entry === undefined) return
  const piece = blockText(content)
  const sender = entry.from === undefined ? undefined : state.shown.get(entry.from)
  if (sender !== undefined) say(sender, piece)
  if (entry.text.length >= maxMessage) return
  const before = entry.text
  entry.text += piece
  assign(state, entry, before, sink, line)
}

const deliver = (state: State, message: Message, sink: EventSink.EventSink, line: number): void => {
  const { from, text } = message
  const sender = from === undefined ? undefined : state.shown.get(from)
  if (sender !== undefined) {
    sender.said = ""
    say(sender, text)
  }
  assign(state, message, undefined, sink, line)
}

/** Gives the recipient its task. `grownFrom`: the message's text before its latest piece. */
const assign = (
  state: State,
  { text, to }: Message,
  grownFrom: string | undefined,
  sink: EventSink.EventSink,
  line: number
) => {
  const recipient = to === undefined ? undefined : state.shown.get(to)
  if (to === undefined || recipient === undefined || text === "") return
  const before = recipient.task
  recipient.task = text
  // Each event repeats the whole task, so a growing task is shown only when its length has doubled.
  if (before === undefined || (before !== grownFrom && !text.startsWith(before)) || text.length >= 2 * recipient.told)
    tell(state, recipient, to, sink, line)
}

/** Shows tasks that no event has shown completely, at the end of a turn. */
export const settle = (state: State, sink: EventSink.EventSink, line?: number): void => {
  for (const [sessionId, shown] of state.shown) if (isBehind(shown)) tell(state, shown, sessionId, sink, line)
}

const isBehind = ({ task = "", told }: Shown): boolean => task.length > told

const textOf = (content: ReadonlyArray<ContentBlock>): string => content.map(blockText).join("")

const say = (shown: Shown, text: string): void => {
  shown.said += text
  if (shown.said.length > 2 * maxSaid) shown.said = shown.said.slice(-maxSaid)
}

const shownOf = (state: State, sessionId: string, strand: Strand.Strand): Shown => {
  const { shown } = state
  const before = shown.get(sessionId)
  if (before !== undefined) return before
  const fresh: Shown = {
    name: nameOf(state, sessionId),
    parent: parentOf(state, sessionId),
    strand,
    activity: undefined,
    said: "",
    task: undefined,
    told: 0
  }
  shown.set(sessionId, fresh)
  return fresh
}

/**
 * The name of a sub-agent's entry. A call starts one sub-agent; a second one that names the same call gets its own
 * entry.
 */
const nameOf = ({ byCall, callOf, known }: State, sessionId: string): string => {
  const toolCallId = callOf(known.get(sessionId)?.meta)
  if (toolCallId === undefined || byCall.has(toolCallId)) return `subagent:${sessionId}`
  byCall.set(toolCallId, sessionId)
  return `subagent:${toolCallId}`
}

const parentOf = ({ known, shown }: State, sessionId: string): ParentSubagent | undefined => {
  const above = shown.get(known.get(sessionId)?.parentId ?? "")
  if (above === undefined) return undefined
  const { name, parent, strand } = above
  return { itemId: Strand.itemId(strand, name), depth: parent === undefined ? 0 : parent.depth + 1 }
}

const tell = (state: State, shown: Shown, sessionId: string, sink: EventSink.EventSink, line?: number): void => {
  const subagent = state.known.get(sessionId)
  if (subagent === undefined) return
  shown.told = shown.task?.length ?? 0
  const now = stateOf(subagent.state)
  const task = subagent.description ?? shown.task
  EventSink.push(
    sink,
    {
      type: "subagent.updated",
      ...shown.strand.place,
      itemId: Strand.itemId(shown.strand, shown.name),
      name: subagent.title ?? sessionId,
      state: now,
      ...(task !== undefined && { task }),
      ...(shown.parent !== undefined && { parent: shown.parent }),
      ...(now === "running" && shown.activity !== undefined && { activity: shown.activity }),
      ...(now !== "running" && shown.said !== "" && { said: shown.said.slice(-maxSaid) })
    },
    line
  )
}

/** Only the state `idle` ends a sub-agent. An unknown or missing state counts as running. */
const stateOf = (state: StateUpdate | undefined): SubagentState => {
  if (state?.state !== "idle") return "running"
  const reason = "stopReason" in state ? state.stopReason : undefined
  if (reason === "cancelled") return "cancelled"
  return reason === "error" ? "failed" : "completed"
}
