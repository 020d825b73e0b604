/**
 * What an agent waits for people to decide: several at once, each answered once and in any order. Whoever opens a request
 * waits for its end without holding up anything else. An approval is bound to what its call would do: when that changes, the
 * request is put anew, and answers to what it was before are refused.
 */
import {
  type AgentRequest,
  type AnsweringClient,
  optionOf,
  type RequestOutcome,
  type RequestResponse
} from "@signalbox/contracts/AgentRequest"
import * as AnswerCheck from "@signalbox/threads/AnswerCheck"
import { RequestId, type TurnId } from "@signalbox/contracts/Ids"
import type { ToolCall } from "@signalbox/contracts/ToolCall"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Latch from "effect/Latch"
import * as Semaphore from "effect/Semaphore"
import { patternTest } from "../../../base/PatternMatch.ts"
import type { ProviderError } from "../../../base/ProviderError.ts"
import { refusal } from "../connection/AgentProblems.ts"
import type { DistributiveOmit } from "../profile/EventDraft.ts"
import * as AnsweredCalls from "./AnsweredCalls.ts"
import type { Place } from "../projection/EventSink.ts"
import type { EventDraft } from "../profile/EventDraft.ts"
import { compact } from "../../../base/Json.ts"
import * as RequestEvents from "./RequestEvents.ts"
import * as RequestFacts from "../../../permission/RequestFacts.ts"
import * as RequestLimit from "./RequestLimit.ts"
import type { RequestLook } from "../../../permission/RequestLook.ts"

type Approval = Extract<AgentRequest, { readonly type: "approval" }>
type Other = Exclude<AgentRequest, Approval>

export type RequestDraft = DistributiveOmit<Other, "requestId" | "at">
export type ApprovalDraft = Omit<Approval, "requestId" | "at" | "tool">

interface Waiting {
  readonly place: Place
  /** Whether anybody has heard of it. */
  shown: boolean
  readonly outcome: Deferred.Deferred<RequestOutcome>
}

interface OpenOther extends Waiting {
  readonly type: "other"
  readonly request: Other
}

interface OpenApproval extends Waiting {
  readonly type: "approval"
  request: Approval
  /** The call as it is now. */
  readonly now: () => ToolCall
  /** What was found at the last look; undefined before the first. */
  look: RequestLook | undefined
  /** Open when the call is not what was looked at. */
  readonly changed: Latch.Latch
}

type Open = OpenOther | OpenApproval

/** Answers that are remembered, so that the same one twice is the same as once; and addresses that people went to. */
const maxRemembered = 256

export interface OpenRequests {
  /** Whether there is room for a request that holds this. Where there is none, the transcript says so. The others look by themselves. */
  readonly admits: (asked: unknown, place: Place) => boolean
  /** Shows a request and waits for its end. Interrupting withdraws it, unless `isOver` says that everything ends. */
  readonly ask: (draft: RequestDraft, place: Place) => Effect.Effect<RequestOutcome>
  /** Asks for the approval of a call. `now` reports the call as it is at any time. */
  readonly approve: (draft: ApprovalDraft, place: Place, now: () => ToolCall) => Effect.Effect<RequestOutcome>
  /** Calls may have changed: those that people decide about are looked at again, and those that were allowed are compared. Synchronous. */
  readonly callsChanged: () => void
  /** Takes the answer of a client. The same one again is the same as once. */
  readonly respond: (
    requestId: RequestId,
    response: RequestResponse,
    client?: AnsweringClient
  ) => Effect.Effect<void, ProviderError>
  /** Whether people are waited for. */
  readonly anyOpen: () => boolean
  /** The agent says that what an address was opened for is done. Synchronous. */
  readonly complete: (elicitationId: string) => void
  /** Cancels what is still open of a turn that has ended: the agent waits for no answer any more. Synchronous. */
  readonly closeTurn: (turnId: TurnId) => void
  /** Ends all that are open in the same way. Synchronous. */
  readonly closeAll: (outcome: RequestOutcome) => void
}

export interface Options {
  readonly now: () => number
  /** Tells all of these together, before anybody can act on them. */
  readonly emit: (...drafts: ReadonlyArray<EventDraft>) => void
  /** Whether the turn is being stopped: then requests are answered as they come. */
  readonly isCancelling: () => boolean
  readonly isOver: () => boolean
  /** What a call would do, as far as that can be known. */
  readonly look: (tool: ToolCall) => Effect.Effect<RequestLook>
  /** The option that is taken without asking, because people have said so beforehand. */
  readonly decide: (request: Approval, look: RequestLook) => string | undefined
  /** What this call is about was allowed or refused; the agent has not heard it yet. */
  readonly onDecided: (toolCallId: string, decision: "allowed" | "refused") => void
}

export const make = (options: Options): OpenRequests => {
  const open = new Map<RequestId, Open>()
  const answered = new Map<RequestId, string>()
  /** Addresses that people went to, by the agent's id, and that are not done. */
  const visited = new Map<string, OpenOther>()
  const allowed = AnsweredCalls.make(options.emit)
  const limit = RequestLimit.make(options.emit)
  /** Requests are shown in the order in which they came, though some are looked at for longer. */
  const showing = Semaphore.makeUnsafe(1)

  const isOpen = (entry: Open) => open.get(entry.request.requestId) === entry

  /** `news` of the request is told before its end. */
  const settle = (entry: Open, how: RequestOutcome, news: ReadonlyArray<EventDraft> = []) => {
    const { outcome, place, request, shown } = entry
    if (!open.delete(request.requestId)) return
    // What the settings allow at once was never open to people: it counts with the rest of what its turn stores.
    const isAnswered = how.type === "answered" && (how.by === undefined || revisionOf(request) === 0)
    limit.ended(request.requestId, isAnswered)
    const first = shown ? news : [RequestEvents.requested(request, place)]
    options.emit(...first, RequestEvents.resolved(request, place, how))
    Deferred.doneUnsafe(outcome, Exit.succeed(how))
  }

  const withdrawnOnInterrupt =
    (entry: Open) =>
    <A>(waiting: Effect.Effect<A>) =>
      Effect.onInterrupt(waiting, () =>
        Effect.sync(() => {
          if (!options.isOver()) settle(entry, { type: "cancelled" })
        })
      )

  const ask: OpenRequests["ask"] = (draft, place) =>
    Effect.suspend(() => {
      const requestId = RequestId.make(crypto.randomUUID())
      const request: Other = { ...draft, requestId, at: options.now() }
      if (!limit.opens(request, place)) return Effect.succeed(cancelled)
      const entry: OpenOther = { type: "other", request, place, shown: false, outcome: Deferred.makeUnsafe() }
      open.set(requestId, entry)
      return Effect.sync(() => show(entry)).pipe(
        showing.withPermits(1),
        Effect.andThen(Deferred.await(entry.outcome)),
        withdrawnOnInterrupt(entry)
      )
    })

  const show = (entry: OpenOther) => {
    if (!isOpen(entry)) return
    if (options.isCancelling()) return settle(entry, { type: "cancelled" })
    entry.shown = true
    options.emit(RequestEvents.requested(entry.request, entry.place))
  }

  const approve: OpenRequests["approve"] = (draft, place, now) =>
    Effect.suspend(() => {
      const requestId = RequestId.make(crypto.randomUUID())
      const request: Approval = { ...draft, tool: now(), requestId, at: options.now() }
      if (!limit.opens(request, place)) return Effect.succeed(cancelled)
      const changed = Latch.makeUnsafe(false)
      const entry: OpenApproval = {
        type: "approval",
        request,
        place,
        shown: false,
        outcome: Deferred.makeUnsafe(),
        now,
        look: undefined,
        changed
      }
      open.set(requestId, entry)
      const watch = Effect.forever(Effect.andThen(changed.await, lookAgain(entry)))
      return lookAgain(entry).pipe(
        showing.withPermits(1),
        // Ends with whoever waits for the outcome.
        Effect.andThen(Effect.forkChild(watch)),
        Effect.andThen(Deferred.await(entry.outcome)),
        withdrawnOnInterrupt(entry)
      )
    })

  const isAsLookedAt = ({ now, request }: OpenApproval) => RequestFacts.isSameCall(request.tool, now())

  /** Looks until the call stays as it was meanwhile. */
  const lookAgain = (entry: OpenApproval): Effect.Effect<void> =>
    Effect.suspend(() => {
      entry.changed.closeUnsafe()
      const tool = entry.now()
      return Effect.flatMap(options.look(tool), (look) => {
        if (!isOpen(entry)) return Effect.void
        if (!RequestFacts.isSameCall(tool, entry.now())) return lookAgain(entry)
        takeIn(entry, tool, look)
        return Effect.void
      })
    })

  /** Puts the request as it is now, where that is not what people know, and lets the settings decide. */
  const takeIn = (entry: OpenApproval, tool: ToolCall, look: RequestLook) => {
    const { look: before, place, request } = entry
    const digest = RequestFacts.digestOf(look.facts)
    entry.look = look
    if (digest === request.digest) {
      entry.request = { ...request, tool }
      return
    }
    const { revision = 0 } = request
    if (revision >= maxRevisions) return settle(entry, { type: "expired", reason: restless })
    const { links: _, ...rest } = request
    const leading = RequestFacts.linksOf(look.facts, look.roots)
    entry.request = {
      ...rest,
      tool,
      digest,
      revision: before === undefined ? 0 : revision + 1,
      ...(before !== undefined && { changed: RequestFacts.changesBetween(before.facts, look.facts) }),
      ...(leading.length > 0 && { links: leading })
    }
    if (before === undefined && !limit.opens(entry.request, place)) {
      open.delete(request.requestId)
      Deferred.doneUnsafe(entry.outcome, Exit.succeed(cancelled))
      return
    }
    if (before !== undefined && !limit.changes(entry.request))
      return settle(entry, { type: "expired", reason: tooLarge })
    const told: EventDraft =
      before === undefined
        ? RequestEvents.requested(entry.request, place)
        : { type: "approval.changed", ...place, request: entry.request }
    entry.shown = true
    const optionId = options.decide(entry.request, look)
    // Told together with its end: nobody can come between the settings and their answer.
    if (options.isCancelling()) settle(entry, { type: "cancelled" }, [told])
    else if (optionId !== undefined) answer(entry, optionOf(entry.request, optionId), { by: "settings" }, [told])
    else options.emit(told)
  }

  const answer = (
    entry: Open,
    response: RequestResponse,
    who: { readonly by?: "settings"; readonly client?: AnsweringClient },
    news?: ReadonlyArray<EventDraft>
  ) => {
    remember(answered, entry.request.requestId, compact(response))
    if (entry.type === "approval") {
      const decision = refuses(entry.request, response) ? "refused" : "allowed"
      options.onDecided(entry.request.tool.toolCallId, decision)
      if (decision === "allowed" && entry.look !== undefined) allowed.add(entry, entry.look.facts)
    } else if (entry.request.type === "url" && response.type === "accept") {
      remember(visited, entry.request.elicitationId, entry)
    }
    settle(entry, { type: "answered", response, ...who }, news)
  }

  const closed = (requestId: RequestId) =>
    Effect.fail(
      refusal(
        "request-closed",
        "This request is closed.",
        answered.has(requestId)
          ? "It was answered before, and differently."
          : "It was withdrawn, or it ended with its turn."
      )
    )

  const respond: OpenRequests["respond"] = (requestId, response, client) =>
    Effect.suspend(() => {
      const entry = open.get(requestId)
      if (entry === undefined) return answered.get(requestId) === compact(response) ? Effect.void : closed(requestId)
      const wrong = AnswerCheck.mismatch(entry.request, response, patternTest())
      if (wrong !== undefined) return Effect.fail(refusal("option-unknown", AnswerCheck.unfitting, wrong))
      const who = client === undefined ? {} : { client }
      if (entry.type === "approval") return respondToApproval(entry, response, who)
      answer(entry, response, who)
      return Effect.void
    })

  /** Answers an approval. It follows the paths once more: a link may have been turned while the person read. */
  const respondToApproval = (
    entry: OpenApproval,
    response: RequestResponse,
    who: { readonly client?: AnsweringClient }
  ): Effect.Effect<void, ProviderError> => {
    const isAboutThis = () =>
      response.type === "option" && response.digest === entry.request.digest && isAsLookedAt(entry)
    if (!isAboutThis()) return Effect.fail(outdated)
    const { tool } = entry.request
    return Effect.flatMap(options.look(tool), (look) => {
      // From here to the answer nothing can come in between.
      if (isOpen(entry) && isAboutThis()) takeIn(entry, tool, look)
      if (!isOpen(entry)) return respond(entry.request.requestId, response)
      if (!isAboutThis()) return Effect.fail(outdated)
      answer(entry, response, who)
      return Effect.void
    })
  }

  return {
    admits: limit.admits,
    anyOpen: () => open.size > 0,
    ask,
    approve,
    callsChanged: () => {
      for (const entry of open.values())
        if (entry.type === "approval" && !isAsLookedAt(entry)) entry.changed.openUnsafe()
      allowed.compare()
    },
    respond,
    complete: (elicitationId) => {
      for (const entry of open.values())
        if (entry.request.type === "url" && entry.request.elicitationId === elicitationId)
          settle(entry, { type: "expired", reason: "The agent says that it is done already." })
      const entry = visited.get(elicitationId)
      if (!visited.delete(elicitationId) || entry === undefined) return
      options.emit({ type: "elicitation.completed", ...entry.place, requestId: entry.request.requestId })
    },
    closeTurn: (turnId) => {
      for (const entry of open.values()) if (entry.place.turnId === turnId) settle(entry, { type: "cancelled" })
      limit.tell()
    },
    closeAll: (outcome) => {
      for (const entry of open.values()) settle(entry, outcome)
      limit.tell()
    }
  }
}

/** Nobody can read a request that changes all the time, and each change is stored. */
const maxRevisions = 100
const restless = `It changed more than ${maxRevisions} times while it was open. The agent was told that it is withdrawn.`
const cancelled: RequestOutcome = { type: "cancelled" }

const tooLarge = "It grew larger than requests may be. The agent was told that it is withdrawn."

const revisionOf = (request: AgentRequest): number => (request.type === "approval" ? (request.revision ?? 0) : 0)

const outdated = refusal("request-changed", AnswerCheck.outdated.title, AnswerCheck.outdated.cause)

const remember = <Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void => {
  map.set(key, value)
  if (map.size <= maxRemembered) return
  for (const oldest of map.keys()) {
    map.delete(oldest)
    return
  }
}

const refuses = ({ options }: Approval, response: RequestResponse): boolean =>
  response.type === "option" &&
  options.some(({ kind, optionId }) => optionId === response.optionId && kind.startsWith("reject"))
