/**
 * Sub-agents that speak in sessions of their own: each is one entry of its parent's transcript. What it says and does is shown there in few
 * words (ACP v1, unstable, subagents).
 */
import type {
  ContentBlock,
  SessionMessage,
  SessionMessageChunk,
  SessionUpdate,
  StateUpdate
} from "@signalbox/acp/AcpSchema"
import * as Subagents from "@signalbox/acp/Subagents"
import type { ParentSubagent } from "@signalbox/contracts/ProviderRuntimeEvent"
import { blockText } from "./ContentMapping.ts"
import * as EventSink from "./EventSink.ts"
import * as Strand from "./Strand.ts"

/** What a sub-agent has shown of itself. */
interface Shown {
  /** Names its entry within the strand. */
  readonly name: string
  /** The one that started it, where that is a sub-agent itself. */
  readonly parent: ParentSubagent | undefined
  /** The place in the transcript. It stays when the sub-agent changes. */
  readonly strand: Strand.Strand
  /** The call that it made last. */
  activity: string | undefined
  /** What it said since then. */
  said: string
  /** The task that it was given, where nobody else says so. */
  task: string | undefined
  /** How much of the task was told. */
  told: number
}

type SubagentState = "running" | "cancelled" | "failed" | "completed"

interface Message {
  readonly from: string | undefined
  readonly to: string | undefined
  text: string
}

export interface State {
  /** The call that started a sub-agent, out of the `_meta` of its announcement: both are one entry. */
  readonly callOf: (meta: unknown) => string | undefined
  /** Sub-agents by the calls that started them. */
  readonly byCall: Map<string, string>
  readonly known: Subagents.Subagents
  readonly shown: Map<string, Shown>
  /** Messages between sessions whose pieces may still come. */
  readonly messages: Map<string, Message>
}

/** What a sub-agent says is kept from its end: that is its answer. */
const maxSaid = 16 * 1024
const maxMessages = 64
/** Characters of a message that are kept from its beginning: what comes behind is only heard as what its sender says. */
const maxMessage = 256 * 1024

export const make = (callOf: State["callOf"]): State => ({
  callOf,
  byCall: new Map(),
  known: Subagents.make(),
  shown: new Map(),
  messages: new Map()
})

/** Whether a session is a sub-agent's, directly or not. */
export const isSubagent = ({ known }: State, sessionId: string): boolean => known.get(sessionId) !== undefined

/** The state of the sub-agent that a call started, if it has a session that reports. The call knows only that it was started. */
export const stateOfCall = ({ byCall, known }: State, toolCallId: string): SubagentState | undefined => {
  const sessionId = byCall.get(toolCallId)
  const subagent = sessionId === undefined ? undefined : known.get(sessionId)
  return subagent === undefined ? undefined : stateOf(subagent.state)
}

/** A session says something about a child of its own. */
export const announce = (
  state: State,
  strand: Strand.Strand,
  parentId: string,
  update: Extract<SessionUpdate, { readonly sessionUpdate: "subagent_update" }>,
  sink: EventSink.EventSink,
  line: number
): void => {
  if (!state.known.announce(parentId, update)) return
  tell(state, shownOf(state, update.sessionId, strand), update.sessionId, sink, line)
}

/** What a sub-agent says and does in its own session. Its plans, thoughts and settings stay its own. */
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

/** A message between sessions: to a sub-agent it is its task, from one its answer. */
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

/** Gives the recipient its task. `grownFrom`: what the message was before its latest piece. */
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
  // Of one that grows piece by piece each event is as long as it is by then: it is told whenever it has doubled.
  if (before === undefined || (before !== grownFrom && !text.startsWith(before)) || text.length >= 2 * recipient.told)
    tell(state, recipient, to, sink, line)
}

/** Tells what was not told yet, at the end of a turn. */
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

/** A call starts one sub-agent. One that says the same of itself stands for itself. */
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

/** Only one that is idle has ended: a state that is not known, or not told, is none that ends. */
const stateOf = (state: StateUpdate | undefined): SubagentState => {
  if (state?.state !== "idle") return "running"
  const reason = "stopReason" in state ? state.stopReason : undefined
  if (reason === "cancelled") return "cancelled"
  return reason === "error" ? "failed" : "completed"
}
