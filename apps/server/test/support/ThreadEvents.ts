/** Logs of one thread, written by hand: events with their places, as short as a test can say them. */
import { EventId, ItemId, ProviderSessionId, Sequence, ThreadId, TurnId } from "@signalbox/contracts/Ids"
import type { ProviderRuntimeEvent } from "@signalbox/contracts/ProviderRuntimeEvent"
import type { LoggedEvent, OrchestrationEvent, ThreadEvent } from "@signalbox/contracts/ThreadEvent"
import type { ToolCall } from "@signalbox/contracts/ToolCall"
import { fake } from "./FakeProvider.ts"

export const threadId = ThreadId.make("thread")
export const turnId = TurnId.make("turn")
/** What all events of the thread share. */
export const common = { threadId, at: 1 }
/** What all events share that an agent's session emits. */
export const runtime = {
  ...common,
  eventId: EventId.make("event"),
  providerKind: fake.kind,
  providerSessionId: ProviderSessionId.make("session")
}

export const created: OrchestrationEvent = {
  type: "thread.created",
  ...common,
  provider: fake,
  cwd: "/project",
  title: "New thread",
  providerOptions: {},
  settings: {}
}

/** The turn is queued, and its prompt handed over. */
export const begun: ReadonlyArray<OrchestrationEvent> = [
  { type: "turn.queued", ...common, turnId, prompt: [{ type: "text", text: "go" }] },
  { type: "turn.dispatched", ...common, turnId }
]

/** An entry of its own for each message. */
export const warning = (message: string): ProviderRuntimeEvent => ({
  type: "runtime.warning",
  ...runtime,
  eventId: EventId.make(`event: ${message}`),
  message
})

export const delta = (text: string, offset = 0): ProviderRuntimeEvent => ({
  type: "message.delta",
  ...runtime,
  turnId,
  itemId: ItemId.make(`${turnId}:assistant`),
  offset,
  text
})

export const told = (
  type: "tool.started" | "tool.updated" | "tool.completed",
  tool: ToolCall
): Extract<ProviderRuntimeEvent, { readonly tool: ToolCall }> => ({
  type,
  ...runtime,
  turnId,
  itemId: ItemId.make(`${turnId}:${tool.toolCallId}`),
  tool
})

export const toolCall = (more: Partial<ToolCall> = {}): ToolCall => ({
  toolCallId: "call",
  title: "ls",
  kind: "execute",
  status: "in_progress",
  subject: { type: "command", command: "ls" },
  diffs: [],
  content: [],
  locations: [],
  startedAt: 1,
  ...more
})

/** At the places behind `after`. */
export const logged = (after: number, events: ReadonlyArray<ThreadEvent>): ReadonlyArray<LoggedEvent> =>
  events.map((event, index) => ({ sequence: Sequence.make(after + index + 1), event }))

/** So many warnings, one at each place behind `after`. */
export const warnings = (after: number, count: number, message = "."): ReadonlyArray<LoggedEvent> =>
  logged(
    after,
    Array.from({ length: count }, () => warning(message))
  )
