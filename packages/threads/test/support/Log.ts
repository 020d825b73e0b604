/** Writes logs by hand: events with their places and times, as short as a test can say them. */
import {
  EventId,
  ItemId,
  ProviderSessionId,
  RequestId,
  ResumeToken,
  Sequence,
  ThreadId,
  TurnId
} from "@signalbox/contracts/Ids"
import { ProviderId, type ProviderRef } from "@signalbox/contracts/Provider"
import type { ProviderRuntimeEvent } from "@signalbox/contracts/ProviderRuntimeEvent"
import type { LoggedEvent, OrchestrationEvent, ThreadEvent } from "@signalbox/contracts/ThreadEvent"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import type { ToolCall, ToolStatus } from "@signalbox/contracts/ToolCall"
import * as ThreadProjection from "../../src/ThreadProjection.ts"

const threadId = ThreadId.make("thread")
export const providerSessionId = ProviderSessionId.make("session")
export const turn = (name: string) => TurnId.make(name)
export const item = (name: string) => ItemId.make(name)
export const request = (name: string) => RequestId.make(name)
export const provider: ProviderRef = { id: ProviderId.make("fake"), kind: "acp", name: "Fake", simulated: true }

type Placed = "threadId" | "at" | "eventId" | "providerKind" | "providerSessionId"
type Bare<Event> = Event extends ThreadEvent ? Omit<Event, Placed> & { readonly at?: number } : never
/** An event but for whose and, if it does not matter, when. */
export type BareOrchestration = Bare<OrchestrationEvent>
export type BareRuntime = Bare<ProviderRuntimeEvent> & { readonly providerSessionId?: ProviderSessionId }

/** What the server says. */
const said = (event: BareOrchestration, at: number): OrchestrationEvent => ({ at, ...event, threadId })

/** What the agent does. */
const done = (event: BareRuntime, at: number): ProviderRuntimeEvent => ({
  at,
  providerSessionId,
  ...event,
  eventId: EventId.make(`event-${at}`),
  providerKind: provider.kind,
  threadId
})

export const created: Extract<BareOrchestration, { readonly type: "thread.created" }> = {
  type: "thread.created",
  provider,
  cwd: "/project",
  title: "New thread",
  providerOptions: {},
  settings: {}
}

/** Gives events their places, and times where they have none: the first is 1. */
export class Log {
  readonly events: Array<LoggedEvent> = []

  said(...events: ReadonlyArray<BareOrchestration>): this {
    for (const event of events) this.push(said(event, this.events.length + 1))
    return this
  }

  done(...events: ReadonlyArray<BareRuntime>): this {
    for (const event of events) this.push(done(event, this.events.length + 1))
    return this
  }

  get view(): ThreadView {
    return ThreadProjection.apply(undefined, this.events)
  }

  private push(event: ThreadEvent): void {
    this.events.push({ sequence: Sequence.make(this.events.length + 1), event })
  }
}

/** A thread with an agent. */
export const ready = (): Log =>
  new Log().said(created).done({
    type: "session.started",
    origin: "new",
    resumeToken: ResumeToken.make("token"),
    capabilities: { rollback: { supported: false, reason: "" }, resume: true, images: false }
  })

/** A thread whose turn `name` the agent has. */
export const running = (name: string): Log =>
  ready().said(
    { type: "turn.queued", turnId: turn(name), prompt: [{ type: "text", text: "do it" }] },
    { type: "turn.dispatched", turnId: turn(name) }
  )

export const tool = (toolCallId: string, status: ToolStatus): ToolCall => ({
  toolCallId,
  title: "ls",
  kind: "execute",
  status,
  subject: { type: "command", command: "ls" },
  diffs: [],
  content: [],
  locations: [],
  startedAt: 1
})

export const approval = (
  requestId: string
): Extract<BareRuntime, { readonly type: "approval.requested" }>["request"] => ({
  type: "approval",
  requestId: request(requestId),
  tool: tool("call", "pending"),
  options: [{ optionId: "yes", name: "Yes", kind: "allow_once" }],
  at: 1
})
