/**
 * What an agent waits for people to decide: several at once, each answered once and in any order. Whoever opens a request
 * waits for its end without holding up anything else.
 */
import type { AnsweringClient, RequestOutcome, RequestResponse } from "@signalbox/contracts/AgentRequest"
import { RequestId, type TurnId } from "@signalbox/contracts/Ids"
import type { ToolCall } from "@signalbox/contracts/ToolCall"
import * as AnswerCheck from "@signalbox/threads/AnswerCheck"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Semaphore from "effect/Semaphore"
import { compact } from "../../../base/Json.ts"
import { patternTest } from "../../../base/PatternMatch.ts"
import type { ProviderError } from "../../../base/ProviderError.ts"
import { refusal } from "../connection/AgentProblems.ts"
import type { DistributiveOmit } from "../profile/EventDraft.ts"
import type { Place } from "../projection/EventSink.ts"
import * as Approvals from "./Approvals.ts"
import * as RequestBook from "./RequestBook.ts"
import * as RequestEvents from "./RequestEvents.ts"

export type RequestDraft = DistributiveOmit<RequestBook.Other, "requestId" | "at">
export type ApprovalDraft = Omit<RequestBook.Approval, "requestId" | "at" | "tool">

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

export interface Options extends RequestBook.Consequences, Approvals.Judge {
  readonly now: () => number
  readonly isOver: () => boolean
}

export const make = (options: Options): OpenRequests => {
  const book = RequestBook.make(options)
  /** Requests are shown in the order in which they came, though some are looked at for longer. */
  const showing = Semaphore.makeUnsafe(1)

  /** Opens a request where there is room for it, shows it in its turn, and waits for its end. */
  const wait = (entry: RequestBook.OpenRequest, show: Effect.Effect<unknown>): Effect.Effect<RequestOutcome> => {
    if (!book.limit.opens(entry.request, entry.place)) return Effect.succeed({ type: "cancelled" })
    RequestBook.add(book, entry)
    return show.pipe(
      Effect.andThen(Deferred.await(entry.outcome)),
      Effect.onInterrupt(() =>
        Effect.sync(() => {
          if (!options.isOver()) RequestBook.settle(book, entry, { type: "cancelled" })
        })
      )
    )
  }

  const common = () => ({ requestId: RequestId.make(crypto.randomUUID()), at: options.now() })

  const respond: OpenRequests["respond"] = (requestId, response, client) =>
    Effect.suspend(() => {
      const entry = book.open.get(requestId)
      if (entry === undefined) return respondLate(book, requestId, response)
      const wrong = AnswerCheck.mismatch(entry.request, response, patternTest())
      if (wrong !== undefined) return Effect.fail(refusal("option-unknown", AnswerCheck.unfitting, wrong))
      const who = client === undefined ? {} : { client }
      if (entry.type === "approval")
        return Approvals.respond(book, entry, options, response, who, respond(requestId, response))
      RequestBook.answer(book, entry, response, who)
      return Effect.void
    })

  return {
    admits: book.limit.admits,
    anyOpen: () => book.open.size > 0,
    ask: (draft, place) =>
      Effect.suspend(() => {
        const request: RequestBook.Other = { ...draft, ...common() }
        const entry: RequestBook.OpenOther = {
          type: "other",
          request,
          place,
          shown: false,
          outcome: Deferred.makeUnsafe()
        }
        return wait(entry, showing.withPermits(1)(Effect.sync(() => show(book, entry, options))))
      }),
    approve: (draft, place, now) =>
      Effect.suspend(() => {
        const entry: RequestBook.OpenApproval = {
          type: "approval",
          request: { ...draft, tool: now(), ...common() },
          place,
          shown: false,
          outcome: Deferred.makeUnsafe(),
          now,
          look: undefined,
          changed: Latch.makeUnsafe(false)
        }
        // The watch ends with whoever waits for the outcome.
        const watch = Effect.forkChild(Approvals.watch(book, entry, options))
        return wait(entry, Effect.andThen(showing.withPermits(1)(Approvals.lookAgain(book, entry, options)), watch))
      }),
    callsChanged: () => RequestBook.callsChanged(book),
    respond,
    complete: (elicitationId) => RequestBook.complete(book, elicitationId),
    closeTurn: (turnId) => RequestBook.closeTurn(book, turnId),
    closeAll: (outcome) => RequestBook.closeAll(book, outcome)
  }
}

/** Tells people of a request that asks for no approval. */
const show = (book: RequestBook.RequestBook, entry: RequestBook.OpenOther, { emit, isCancelling }: Options): void => {
  if (!RequestBook.isOpen(book, entry)) return
  if (isCancelling()) return RequestBook.settle(book, entry, { type: "cancelled" })
  entry.shown = true
  emit(RequestEvents.requested(entry.request, entry.place))
}

/** An answer to a request that is not open: the same one again is the same as once. */
const respondLate = (
  { answered }: RequestBook.RequestBook,
  requestId: RequestId,
  response: RequestResponse
): Effect.Effect<void, ProviderError> => {
  const before = answered.get(requestId)
  if (before === compact(response)) return Effect.void
  return Effect.fail(
    refusal(
      "request-closed",
      "This request is closed.",
      before === undefined ? "It was withdrawn, or it ended with its turn." : "It was answered before, and differently."
    )
  )
}
