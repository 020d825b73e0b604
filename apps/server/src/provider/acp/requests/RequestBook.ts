/**
 * The open requests of one session, and what is kept of closed ones. A mutable value, which the functions of this file
 * change. Each change is one synchronous step: the request's end, its event and its waiting fiber. So no other fiber
 * can act in between.
 */
import type { Problem } from "@signalbox/contracts/Problem"
import type { AgentRequest, RequestOutcome, RequestResponse } from "@signalbox/contracts/AgentRequest"
import type { RequestId, TurnId } from "@signalbox/contracts/Ids"
import type { ToolCall } from "@signalbox/contracts/ToolCall"
import * as Deferred from "effect/Deferred"
import * as Exit from "effect/Exit"
import type * as Latch from "effect/Latch"
import * as RequestFacts from "@signalbox/permission/RequestFacts"
import type { JudgedLook } from "@signalbox/permission/RequestLook"
import type { SessionAudit } from "../../../audit/SessionAudit.ts"
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
  /** Whether an event has shown the request. */
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
  /** Returns the call's latest state. */
  readonly now: () => ToolCall
  /** The findings of the last look. Undefined before the first. */
  look: JudgedLook | undefined
  /** Open while the call differs from the one that was examined. */
  readonly changed: Latch.Latch
}

export type OpenRequest = OpenOther | OpenApproval

/** Reactions of a session when its requests change. */
export interface Consequences {
  /** Emits all of these as one batch, before anybody can act on them. */
  readonly emit: (...drafts: ReadonlyArray<EventDraft>) => void
  /** Called when a call was allowed or refused, before the agent has the answer. */
  readonly onDecided: (toolCallId: string, decision: "allowed" | "refused") => void
  readonly audit: SessionAudit
}

export interface RequestBook {
  readonly consequences: Consequences
  readonly open: Map<RequestId, OpenRequest>
  /** The answers that were given, as text, by request. */
  readonly answered: Map<RequestId, string>
  /** Addresses that people opened and that are not complete, by the agent's id. */
  readonly visited: Map<string, OpenOther>
  readonly allowed: AnsweredCalls.AnsweredCalls
  readonly limit: RequestLimit.RequestLimit
}

/** Most answers that are kept, to recognise repetitions, and most opened addresses. */
const maxRemembered = 256

export const make = (consequences: Consequences): RequestBook => ({
  consequences,
  open: new Map(),
  answered: new Map(),
  visited: new Map(),
  allowed: AnsweredCalls.make(consequences.emit),
  limit: RequestLimit.make(consequences.emit, consequences.audit.turnedAway)
})

export const add = ({ open }: RequestBook, entry: OpenRequest): void => {
  open.set(entry.request.requestId, entry)
}

export const isOpen = ({ open }: RequestBook, entry: OpenRequest): boolean =>
  open.get(entry.request.requestId) === entry

/** Whether a request about a call of this id is open. */
export const asksAbout = ({ open }: RequestBook, toolCallId: string): boolean =>
  [...open.values()].some(({ request }) => request.type === "approval" && request.tool.toolCallId === toolCallId)

/** Ends a request, once. `news`: events of the request that come before its end. The audit log has the end before the agent does. */
export const settle = (
  book: RequestBook,
  entry: OpenRequest,
  how: RequestOutcome,
  news: ReadonlyArray<EventDraft> = []
): void => {
  if (!book.open.has(entry.request.requestId)) return
  const unrecorded = record(book, entry, how, "later")
  end(book, entry, how, news)
  if (unrecorded !== undefined) book.consequences.emit(unrecordedWarning(entry.place, unrecorded))
}

/** Writes the end of a request to the audit log. Returns why that was not possible. */
const record = (
  { consequences }: RequestBook,
  entry: OpenRequest,
  outcome: RequestOutcome,
  how: "later" | "now"
): Problem | undefined => {
  const { request } = entry
  const ofCall = entry.type === "approval" ? { call: entry.now, decision: entry.look?.decision } : {}
  return consequences.audit.ended({ request, outcome, ...ofCall }, how)
}

const unrecordedWarning = (place: Place, { cause, title }: Problem): EventDraft => ({
  type: "runtime.warning",
  ...place,
  message: "This decision is not in the audit log yet.",
  detail: `${title} ${cause}`
})

const end = (
  { consequences, limit, open }: RequestBook,
  entry: OpenRequest,
  how: RequestOutcome,
  news: ReadonlyArray<EventDraft>
): void => {
  const { outcome, place, request, shown } = entry
  open.delete(request.requestId)
  // A request that the settings or a rule allow at once was never open to people. It counts only in the storage of its turn.
  const isAnswered = how.type === "answered" && (how.by === undefined || revisionOf(request) === 0)
  limit.ended(request.requestId, isAnswered)
  const first = shown ? news : [RequestEvents.requested(request, place)]
  consequences.emit(...first, RequestEvents.resolved(request, place, how))
  Deferred.doneUnsafe(outcome, Exit.succeed(how))
}

/** Drops a request that had no room. People never saw it. */
export const drop = ({ open }: RequestBook, { outcome, request }: OpenRequest): void => {
  open.delete(request.requestId)
  Deferred.doneUnsafe(outcome, Exit.succeed({ type: "cancelled" }))
}

/** The one who answers: a client, or what people have said beforehand. */
export type Answerer = Omit<Extract<RequestOutcome, { readonly type: "answered" }>, "type" | "response">

/** Ends a request by an answer, and stores the answer. */
export const answer = (
  book: RequestBook,
  entry: OpenRequest,
  response: RequestResponse,
  who: Answerer,
  news?: ReadonlyArray<EventDraft>
): undefined => {
  noteAnswer(book, entry, response)
  settle(book, entry, { type: "answered", response, ...who }, news)
}

/**
 * Ends an approval by an answer that people have given beforehand. Returns why not: what nobody would find in the audit log is not allowed
 * without people.
 */
export const answerByItself = (
  book: RequestBook,
  entry: OpenApproval,
  response: RequestResponse,
  who: Answerer,
  news: ReadonlyArray<EventDraft>
): Problem | undefined => {
  const how: RequestOutcome = { type: "answered", response, ...who }
  const isRefusal = refuses(entry.request, response)
  const unrecorded = record(book, entry, how, isRefusal ? "later" : "now")
  if (unrecorded !== undefined && !isRefusal) return unrecorded
  noteAnswer(book, entry, response)
  end(book, entry, how, news)
  if (unrecorded !== undefined) book.consequences.emit(unrecordedWarning(entry.place, unrecorded))
  return undefined
}

const noteAnswer = (
  { allowed, answered, consequences, visited }: RequestBook,
  entry: OpenRequest,
  response: RequestResponse
): void => {
  remember(answered, entry.request.requestId, compact(response))
  if (entry.type === "approval") {
    const decision = refuses(entry.request, response) ? "refused" : "allowed"
    consequences.onDecided(entry.request.tool.toolCallId, decision)
    if (decision === "allowed" && entry.look !== undefined) allowed.add(entry, entry.look.facts)
  } else if (entry.request.type === "url" && response.type === "accept") {
    remember(visited, entry.request.elicitationId, entry)
  }
}

/** Examines approvals again whose calls have changed, and compares the calls that were allowed. */
export const callsChanged = ({ allowed, consequences, open }: RequestBook): void => {
  for (const entry of open.values()) if (entry.type === "approval" && !isAsLookedAt(entry)) entry.changed.openUnsafe()
  allowed.compare()
  consequences.audit.callsChanged()
}

/** Examines all open approvals again, since what people have said beforehand may have changed. */
export const sayingsChanged = ({ open }: RequestBook): void => {
  for (const entry of open.values()) if (entry.type === "approval") entry.changed.openUnsafe()
}

/** Handles the agent's report that the purpose of an opened address is complete. */
export const complete = (book: RequestBook, elicitationId: string): void => {
  const { consequences, open, visited } = book
  for (const entry of open.values())
    if (entry.request.type === "url" && entry.request.elicitationId === elicitationId)
      settle(book, entry, { type: "expired", reason: "The agent says that it is done already." })
  const entry = visited.get(elicitationId)
  if (!visited.delete(elicitationId) || entry === undefined) return
  consequences.emit({ type: "elicitation.completed", ...entry.place, requestId: entry.request.requestId })
}

/** Cancels the open requests of a turn that has ended. */
export const closeTurn = (book: RequestBook, turnId: TurnId): void => {
  for (const entry of book.open.values()) if (entry.place.turnId === turnId) settle(book, entry, { type: "cancelled" })
  book.consequences.audit.callsChanged()
  book.limit.tell()
}

/** Ends all open requests with one outcome. */
export const closeAll = (book: RequestBook, outcome: RequestOutcome): void => {
  for (const entry of book.open.values()) settle(book, entry, outcome)
  book.consequences.audit.callsChanged()
  book.limit.tell()
}

/** Whether the call is unchanged since the last look. */
export const isAsLookedAt = ({ now, request }: OpenApproval): boolean => RequestFacts.isSameCall(request.tool, now())

/** How often a request has changed since people first saw it. */
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
