/**
 * The requests of one session: those that are open, and what is remembered of those that are not. A value that the functions of this file
 * change, each in one step: the end of a request, its event and whoever waits for it. Nobody can come between, whichever fiber calls.
 */
import type { AgentRequest, AnsweringClient, RequestOutcome, RequestResponse } from "@signalbox/contracts/AgentRequest"
import type { RequestId, TurnId } from "@signalbox/contracts/Ids"
import type { ToolCall } from "@signalbox/contracts/ToolCall"
import * as Deferred from "effect/Deferred"
import * as Exit from "effect/Exit"
import type * as Latch from "effect/Latch"
import * as RequestFacts from "@signalbox/permission/RequestFacts"
import type { RequestLook } from "@signalbox/permission/RequestLook"
import { compact } from "../../../base/Json.ts"
import type { EventDraft } from "../profile/EventDraft.ts"
import * as AnsweredCalls from "./AnsweredCalls.ts"
import type { Place } from "../projection/EventSink.ts"
import * as RequestEvents from "./RequestEvents.ts"
import * as RequestLimit from "./RequestLimit.ts"

export type Approval = Extract<AgentRequest, { readonly type: "approval" }>
export type Other = Exclude<AgentRequest, Approval>

interface Waiting {
  readonly place: Place
  /** Whether anybody has heard of it. */
  shown: boolean
  readonly outcome: Deferred.Deferred<RequestOutcome>
}

export interface OpenOther extends Waiting {
  readonly type: "other"
  readonly request: Other
}

export interface OpenApproval extends Waiting {
  readonly type: "approval"
  request: Approval
  /** The call as it is now. */
  readonly now: () => ToolCall
  /** What was found at the last look; undefined before the first. */
  look: RequestLook | undefined
  /** Open when the call is not what was looked at. */
  readonly changed: Latch.Latch
}

export type OpenRequest = OpenOther | OpenApproval

/** What happens in a session when its requests change. */
export interface Consequences {
  /** Tells all of these together, before anybody can act on them. */
  readonly emit: (...drafts: ReadonlyArray<EventDraft>) => void
  /** What this call is about was allowed or refused; the agent has not heard it yet. */
  readonly onDecided: (toolCallId: string, decision: "allowed" | "refused") => void
}

export interface RequestBook {
  readonly consequences: Consequences
  readonly open: Map<RequestId, OpenRequest>
  /** Answers that were given, as text. */
  readonly answered: Map<RequestId, string>
  /** Addresses that people went to, by the agent's id, and that are not done. */
  readonly visited: Map<string, OpenOther>
  readonly allowed: AnsweredCalls.AnsweredCalls
  readonly limit: RequestLimit.RequestLimit
}

/** Answers that are remembered, so that the same one twice is the same as once; and addresses that people went to. */
const maxRemembered = 256

export const make = (consequences: Consequences): RequestBook => ({
  consequences,
  open: new Map(),
  answered: new Map(),
  visited: new Map(),
  allowed: AnsweredCalls.make(consequences.emit),
  limit: RequestLimit.make(consequences.emit)
})

export const add = ({ open }: RequestBook, entry: OpenRequest): void => {
  open.set(entry.request.requestId, entry)
}

export const isOpen = ({ open }: RequestBook, entry: OpenRequest): boolean =>
  open.get(entry.request.requestId) === entry

/** Ends a request, once. `news` of it is told before its end. */
export const settle = (
  { consequences, limit, open }: RequestBook,
  entry: OpenRequest,
  how: RequestOutcome,
  news: ReadonlyArray<EventDraft> = []
): void => {
  const { outcome, place, request, shown } = entry
  if (!open.delete(request.requestId)) return
  // What the settings allow at once was never open to people: it counts with the rest of what its turn stores.
  const isAnswered = how.type === "answered" && (how.by === undefined || revisionOf(request) === 0)
  limit.ended(request.requestId, isAnswered)
  const first = shown ? news : [RequestEvents.requested(request, place)]
  consequences.emit(...first, RequestEvents.resolved(request, place, how))
  Deferred.doneUnsafe(outcome, Exit.succeed(how))
}

/** Drops a request for which there was no room: people never heard of it. */
export const drop = ({ open }: RequestBook, { outcome, request }: OpenRequest): void => {
  open.delete(request.requestId)
  Deferred.doneUnsafe(outcome, Exit.succeed({ type: "cancelled" }))
}

/** Ends a request by an answer, and remembers the answer. */
export const answer = (
  book: RequestBook,
  entry: OpenRequest,
  response: RequestResponse,
  who: { readonly by?: "settings"; readonly client?: AnsweringClient },
  news?: ReadonlyArray<EventDraft>
): void => {
  const { allowed, answered, consequences, visited } = book
  remember(answered, entry.request.requestId, compact(response))
  if (entry.type === "approval") {
    const decision = refuses(entry.request, response) ? "refused" : "allowed"
    consequences.onDecided(entry.request.tool.toolCallId, decision)
    if (decision === "allowed" && entry.look !== undefined) allowed.add(entry, entry.look.facts)
  } else if (entry.request.type === "url" && response.type === "accept") {
    remember(visited, entry.request.elicitationId, entry)
  }
  settle(book, entry, { type: "answered", response, ...who }, news)
}

/** Has approvals looked at again whose calls have changed, and compares the calls that were allowed. */
export const callsChanged = ({ allowed, open }: RequestBook): void => {
  for (const entry of open.values()) if (entry.type === "approval" && !isAsLookedAt(entry)) entry.changed.openUnsafe()
  allowed.compare()
}

/** The agent says that what an address was opened for is done. */
export const complete = (book: RequestBook, elicitationId: string): void => {
  const { consequences, open, visited } = book
  for (const entry of open.values())
    if (entry.request.type === "url" && entry.request.elicitationId === elicitationId)
      settle(book, entry, { type: "expired", reason: "The agent says that it is done already." })
  const entry = visited.get(elicitationId)
  if (!visited.delete(elicitationId) || entry === undefined) return
  consequences.emit({ type: "elicitation.completed", ...entry.place, requestId: entry.request.requestId })
}

/** Cancels what is still open of a turn that has ended. */
export const closeTurn = (book: RequestBook, turnId: TurnId): void => {
  for (const entry of book.open.values()) if (entry.place.turnId === turnId) settle(book, entry, { type: "cancelled" })
  book.limit.tell()
}

/** Ends all that are open in the same way. */
export const closeAll = (book: RequestBook, outcome: RequestOutcome): void => {
  for (const entry of book.open.values()) settle(book, entry, outcome)
  book.limit.tell()
}

/** Whether the call is what was looked at last. */
export const isAsLookedAt = ({ now, request }: OpenApproval): boolean => RequestFacts.isSameCall(request.tool, now())

/** How often a request has changed since people saw it first. */
const revisionOf = (request: AgentRequest): number => (request.type === "approval" ? (request.revision ?? 0) : 0)

/** Whether a response refuses the call. */
const refuses = ({ options }: Approval, response: RequestResponse): boolean =>
  response.type === "option" &&
  options.some(({ kind, optionId }) => optionId === response.optionId && kind.startsWith("reject"))

const remember = <Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void => {
  map.set(key, value)
  if (map.size <= maxRemembered) return
  for (const oldest of map.keys()) {
    map.delete(oldest)
    return
  }
}
