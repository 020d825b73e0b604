/**
 * Applies events to the state of a thread. Pure, and equal on the server and in the page, so that the two can't differ.
 */
import { Sequence } from "@signalbox/contracts/Ids"
import * as OrchestrationProjection from "./OrchestrationProjection.ts"
import type { ProviderRuntimeEvent } from "@signalbox/contracts/ProviderRuntimeEvent"
import * as RuntimeProjection from "./RuntimeProjection.ts"
import { type Draft, draftOf, headOf } from "./ThreadDraft.ts"
import type { LoggedEvent, ThreadEvent } from "@signalbox/contracts/ThreadEvent"
import { closeLate } from "./ThreadSteps.ts"
import type { ThreadHead, ThreadPage, ThreadSummary, ThreadView, TurnView } from "@signalbox/contracts/ThreadView"
import * as Transcript from "./Transcript.ts"
import { isNews } from "./News.ts"
import * as TurnQueue from "./TurnQueue.ts"
import { hasEnded, isRunning } from "./TurnState.ts"

/** The turn that the agent has, if any. There is at most one, since prompts are queued. */
export const runningTurn = ({ turns }: Pick<ThreadHead, "turns">): TurnView | undefined =>
  turns.find(({ status }) => isRunning(status))

/** The state after `events`. They follow `view.sequence` without a gap; the first of a thread is `thread.created`. */
export const apply = (view: ThreadView | undefined, events: ReadonlyArray<LoggedEvent>): ThreadView => {
  const { items, ...head } = view ?? { items: [] }
  const transcript = Transcript.ofList(items)
  const next = applyTo("threadId" in head ? head : undefined, transcript, events)
  return { ...next, items: transcript.items() }
}

/** Applies events to a state with a separate transcript: changes `transcript`, and returns the rest. */
export const applyTo = (
  head: ThreadHead | undefined,
  transcript: Transcript.Transcript,
  events: ReadonlyArray<LoggedEvent>
): ThreadHead => {
  let draft = head === undefined ? undefined : draftOf(head, transcript)
  for (const { event, sequence } of events) {
    if (draft === undefined) draft = draftOf(created(event), transcript)
    else applyEvent(draft, event)
    TurnQueue.settle(draft)
    draft.sequence = sequence
    if (isNews(event)) draft.updatedAt = event.at
  }
  if (draft === undefined) throw new RangeError("A thread's log begins with thread.created; it was empty.")
  return headOf(draft)
}

/** Joins a window with the page before it. A turn in both has the page's place and the window's state. */
export const withEarlier = (view: ThreadView, { earlier, earlierCount, items, turns }: ThreadPage): ThreadView => {
  const { earlier: _, earlierCount: __, ...rest } = view
  const known = new Map(view.turns.map((turn) => [turn.turnId, turn]))
  const placed = new Set(turns.map(({ turnId }) => turnId))
  const shown = new Set(view.items.map(({ itemId }) => itemId))
  return {
    ...rest,
    ...(earlier !== undefined && { earlier }),
    ...(earlierCount !== undefined && { earlierCount }),
    turns: [
      ...turns.map((turn) => known.get(turn.turnId) ?? turn),
      ...view.turns.filter(({ turnId }) => !placed.has(turnId))
    ],
    items: [...items.filter(({ itemId }) => !shown.has(itemId)), ...view.items]
  }
}

/** The thread's row in the list. */
export const summary = (view: ThreadHead): ThreadSummary => {
  const turn =
    runningTurn(view) ?? lastOfHold(view) ?? view.turns.find(({ status }) => status === "queued") ?? view.turns.at(-1)
  const waiting = view.requests.find(({ answered }) => !answered)
  return {
    threadId: view.threadId,
    sequence: view.sequence,
    title: view.title,
    provider: view.provider,
    cwd: view.cwd,
    createdAt: view.createdAt,
    updatedAt: view.updatedAt,
    ...(turn && { status: turn.status, turnStartedAt: turn.sentAt ?? turn.queuedAt }),
    ...(waiting && { waitingFor: waiting.request.type }),
    ...(view.held && { held: view.held }),
    ...(view.session.profile && { profile: view.session.profile })
  }
}

/** The turn that holds the queue, or a steering one that has ended since. */
const lastOfHold = ({ heldBy, turns }: ThreadHead): TurnView | undefined => {
  const holding = heldBy?.turnId === undefined ? -1 : turns.findIndex(({ turnId }) => turnId === heldBy.turnId)
  return holding === -1 ? undefined : turns.findLast(({ status }, index) => index >= holding && hasEnded(status))
}

const created = (event: ThreadEvent): ThreadHead => {
  if (event.type !== "thread.created")
    throw new RangeError(`A thread's log begins with thread.created, not ${event.type}.`)
  return {
    threadId: event.threadId,
    sequence: Sequence.make(0),
    title: event.title,
    titled: false,
    provider: event.provider,
    cwd: event.cwd,
    ...(event.additionalDirectories !== undefined && { additionalDirectories: event.additionalDirectories }),
    ...(event.mcpServers !== undefined && { mcpServers: event.mcpServers }),
    ...(event.components !== undefined && { components: event.components }),
    ...(event.from !== undefined && { from: event.from }),
    createdAt: event.at,
    updatedAt: event.at,
    session: { state: "none" },
    settings: [],
    desired: { ...event.remembered, ...event.settings },
    ...(event.remembered !== undefined && { remembered: event.remembered }),
    commands: [],
    plan: [],
    turns: [],
    requests: []
  }
}

const applyEvent = (draft: Draft, event: ThreadEvent): void => {
  if (!("providerSessionId" in event)) return OrchestrationProjection.apply(draft, event)
  const known = withLateness(draft, event)
  RuntimeProjection.apply(draft, known)
  if ("late" in known && "itemId" in known) closeLate(draft, known)
}

/** Marks an event after its turn's end as late, even if its reporter does not know of that end. */
const withLateness = (draft: Draft, event: ProviderRuntimeEvent): ProviderRuntimeEvent => {
  if (!("itemId" in event) || event.late || event.turnId === undefined) return event
  const turn = draft.turns.findLast(({ turnId }) => turnId === event.turnId)
  return turn !== undefined && hasEnded(turn.status) ? { ...event, late: true } : event
}
