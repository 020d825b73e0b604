/**
 * What an agent waits for people to decide: several at once, each answered once and in any order. Whoever opens a request
 * waits for its end without holding up anything else.
 */
import type { AgentRequest, RequestOutcome, RequestResponse } from "@signalbox/contracts/AgentRequest"
import { refusalOf } from "@signalbox/contracts/Elicitation"
import { RequestId, type TurnId } from "@signalbox/contracts/Ids"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { patternTest } from "../../PatternMatch.ts"
import type { ProviderError } from "../Services/ProviderError.ts"
import { refusal } from "./AgentProblems.ts"
import type { DistributiveOmit } from "./AgentProfile.ts"
import type { EventDraft, Place } from "./EventSink.ts"
import { compact } from "./Json.ts"

export type RequestDraft = DistributiveOmit<AgentRequest, "requestId" | "at">

interface Open {
  readonly request: AgentRequest
  readonly place: Place
  readonly outcome: Deferred.Deferred<RequestOutcome>
}

/** Answers that are remembered, so that the same one twice is the same as once; and addresses that people went to. */
const maxRemembered = 256

export interface OpenRequests {
  /** Shows a request and waits for its end. Interrupting withdraws it, unless `isOver` says that everything ends. */
  readonly ask: (draft: RequestDraft, place: Place) => Effect.Effect<RequestOutcome>
  /** Takes a person's answer. The same one again is the same as once. */
  readonly respond: (requestId: RequestId, response: RequestResponse) => Effect.Effect<void, ProviderError>
  /** The agent says that what an address was opened for is done. Synchronous. */
  readonly complete: (elicitationId: string) => void
  /** Cancels what is still open of a turn that has ended: the agent waits for no answer any more. Synchronous. */
  readonly closeTurn: (turnId: TurnId) => void
  /** Ends all that are open in the same way. Synchronous. */
  readonly closeAll: (outcome: RequestOutcome) => void
}

export interface Options {
  readonly now: () => number
  readonly emit: (draft: EventDraft) => void
  /** Whether the turn is being stopped: then requests are answered as they come. */
  readonly isCancelling: () => boolean
  readonly isOver: () => boolean
  /** The option that is taken without asking, because people have said so beforehand. */
  readonly decide: (request: Approval) => string | undefined
  /** A person refused what this call is about; the agent has not heard it yet. */
  readonly onRefused: (toolCallId: string) => void
}

export const make = (options: Options): OpenRequests => {
  const open = new Map<RequestId, Open>()
  const answered = new Map<RequestId, string>()
  /** Addresses that people went to, by the agent's id, and that are not done. */
  const visited = new Map<string, Open>()

  const settle = ({ outcome, place, request }: Open, how: RequestOutcome) => {
    if (!open.delete(request.requestId)) return
    options.emit(resolved(request, place, how))
    Deferred.doneUnsafe(outcome, Exit.succeed(how))
  }

  const ask: OpenRequests["ask"] = (draft, place) =>
    Effect.suspend(() => {
      const requestId = RequestId.make(crypto.randomUUID())
      const request: AgentRequest = { ...draft, requestId, at: options.now() }
      const entry: Open = { request, place, outcome: Deferred.makeUnsafe() }
      open.set(requestId, entry)
      options.emit(requested(request, place))
      const optionId = request.type === "approval" ? options.decide(request) : undefined
      if (options.isCancelling()) settle(entry, { type: "cancelled" })
      else if (optionId !== undefined) answer(entry, { type: "option", optionId }, "settings")
      return Deferred.await(entry.outcome).pipe(
        Effect.onInterrupt(() =>
          Effect.sync(() => {
            if (!options.isOver()) settle(entry, { type: "cancelled" })
          })
        )
      )
    })

  const answer = (entry: Open, response: RequestResponse, by?: "settings") => {
    const { request } = entry
    remember(answered, request.requestId, compact(response))
    if (request.type === "url" && response.type === "accept") remember(visited, request.elicitationId, entry)
    if (request.type === "approval" && refuses(request, response)) options.onRefused(request.tool.toolCallId)
    settle(entry, { type: "answered", response, ...(by !== undefined && { by }) })
  }

  const respond: OpenRequests["respond"] = (requestId, response) =>
    Effect.suspend(() => {
      const entry = open.get(requestId)
      if (entry === undefined) {
        if (answered.get(requestId) === compact(response)) return Effect.void
        const before = answered.has(requestId)
        return Effect.fail(
          refusal(
            "request-closed",
            "This request is closed.",
            before ? "It was answered before, and differently." : "It was withdrawn, or it ended with its turn."
          )
        )
      }
      const wrong = mismatch(entry.request, response)
      if (wrong !== undefined) return Effect.fail(refusal("option-unknown", "This is not among the answers.", wrong))
      answer(entry, response)
      return Effect.void
    })

  return {
    ask,
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
    },
    closeAll: (outcome) => {
      for (const entry of open.values()) settle(entry, outcome)
    }
  }
}

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

type Approval = Extract<AgentRequest, { readonly type: "approval" }>

/** Why an answer does not fit its request. */
const mismatch = (request: AgentRequest, response: RequestResponse): string | undefined => {
  switch (request.type) {
    case "approval": {
      if (response.type !== "option") return "An approval is answered with one of the agent's options."
      if (request.options.some(({ optionId }) => optionId === response.optionId)) return undefined
      return `The agent did not offer ${response.optionId}.`
    }
    case "question": {
      if (response.type === "skip") return undefined
      if (response.type !== "answers") return "A question is answered with its options, or skipped."
      for (const { optionIds, questionId } of response.answers) {
        const question = request.questions.find(({ id }) => id === questionId)
        if (question === undefined) return `There is no question ${questionId}.`
        const unknown = optionIds.find((id) => !question.options.some((option) => option.id === id))
        if (unknown !== undefined) return `The question ${questionId} has no option ${unknown}.`
        if (optionIds.length > 1 && !question.allowMultiple) return `The question ${questionId} takes one option.`
      }
      return undefined
    }
    case "plan":
      return response.type === "accept" || response.type === "reject" ? undefined : "A plan is accepted or rejected."
    case "form":
      if (response.type === "reject") return undefined
      if (response.type !== "content") return "A form is filled in or rejected."
      return refusalOf(request.fields, response.content, patternTest())
    case "url":
      return response.type === "accept" || response.type === "reject"
        ? undefined
        : "An address is accepted or rejected."
  }
}

const requested = (request: AgentRequest, place: Place): EventDraft => {
  switch (request.type) {
    case "approval":
      return { type: "approval.requested", ...place, request }
    case "question":
      return { type: "question.requested", ...place, request }
    case "plan":
      return { type: "plan.proposed", ...place, request }
    case "form":
    case "url":
      return { type: "elicitation.requested", ...place, request }
  }
}

const resolved = ({ requestId, type }: AgentRequest, place: Place, outcome: RequestOutcome): EventDraft => {
  switch (type) {
    case "approval":
      return { type: "approval.resolved", ...place, requestId, outcome }
    case "question":
      return { type: "question.resolved", ...place, requestId, outcome }
    case "plan":
      return { type: "plan.resolved", ...place, requestId, outcome }
    case "form":
    case "url":
      return { type: "elicitation.resolved", ...place, requestId, outcome }
  }
}
