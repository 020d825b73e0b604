/**
 * The requests of an agent that people must decide. Several can be open at once, and each is answered once, in any
 * order. The fiber that opens a request waits for its end and delays nothing else.
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
  /**
   * Whether there is room for a request with this content. If not, the transcript says so. `ask` and `approve` check it
   * themselves.
   */
  readonly admits: (asked: unknown, place: Place) => boolean
  /** Shows a request and waits for its end. Interruption withdraws it, unless `isOver` is true. */
  readonly ask: (draft: RequestDraft, place: Place) => Effect.Effect<RequestOutcome>
  /** Asks for the approval of a call. `now` returns the call's latest state. */
  readonly approve: (draft: ApprovalDraft, place: Place, now: () => ToolCall) => Effect.Effect<RequestOutcome>
  /** Whether a request about a call of this id is open. */
  readonly asksAbout: (toolCallId: string) => boolean
  /** Examines open approvals again, and compares allowed calls, since calls may have changed. Synchronous. */
  readonly callsChanged: () => void
  /** Examines open approvals again: rules, settings or a choice of people may answer them now. Synchronous. */
  readonly judgeAgain: () => void
  /** Takes the answer of a client. Repeating the same answer has no further effect. */
  readonly respond: (
    requestId: RequestId,
    response: RequestResponse,
    client?: AnsweringClient
  ) => Effect.Effect<void, ProviderError>
  /** Whether any request waits for people. */
  readonly anyOpen: () => boolean
  /** Handles the agent's report that the purpose of an opened address is complete. Synchronous. */
  readonly complete: (elicitationId: string) => void
  /** Cancels the open requests of a turn that has ended, since the agent no longer waits for answers. Synchronous. */
  readonly closeTurn: (turnId: TurnId) => void
  /** Ends all open requests with one outcome. Synchronous. */
  readonly closeAll: (outcome: RequestOutcome) => void
}

export interface Options extends RequestBook.Consequences, Approvals.Judge {
  readonly now: () => number
  readonly isOver: () => boolean
}

export const make = (options: Options): OpenRequests => {
  const book = RequestBook.make(options)
  /** Shows requests in the order of their arrival, though some are examined for longer. */
  const showing = Semaphore.makeUnsafe(1)

  /** Opens a request if there is room, shows it in its turn, and waits for its end. */
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
      const noted = ({ problem }: ProviderError) =>
        Effect.sync(() => options.audit.refused(requestId, response, client, `${problem.title} ${problem.cause}`))
      if (entry === undefined) return Effect.tapError(respondLate(book, requestId, response), noted)
      const wrong = AnswerCheck.mismatch(entry.request, response, patternTest())
      if (wrong !== undefined) return Effect.fail(refusal("option-unknown", AnswerCheck.unfitting, wrong))
      const who = client === undefined ? {} : { client }
      if (entry.type === "approval")
        return Effect.tapError(
          Approvals.respond(book, entry, options, response, who, respondLate(book, requestId, response)),
          noted
        )
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
        // The watch is a child, so it ends with the fiber that waits for the outcome.
        const watch = Effect.forkChild(Approvals.watch(book, entry, options))
        return wait(entry, Effect.andThen(showing.withPermits(1)(Approvals.lookAgain(book, entry, options)), watch))
      }),
    asksAbout: (toolCallId) => RequestBook.asksAbout(book, toolCallId),
    callsChanged: () => RequestBook.callsChanged(book),
    judgeAgain: () => RequestBook.sayingsChanged(book),
    respond,
    complete: (elicitationId) => RequestBook.complete(book, elicitationId),
    closeTurn: (turnId) => RequestBook.closeTurn(book, turnId),
    closeAll: (outcome) => RequestBook.closeAll(book, outcome)
  }
}

/** Shows people a request that is not an approval. */
const show = (book: RequestBook.RequestBook, entry: RequestBook.OpenOther, { emit, isCancelling }: Options): void => {
  if (!RequestBook.isOpen(book, entry)) return
  if (isCancelling()) return RequestBook.settle(book, entry, { type: "cancelled" })
  entry.shown = true
  emit(RequestEvents.requested(entry.request, entry.place))
}

/** Handles an answer to a closed request. Repeating the same answer succeeds. */
const respondLate = (
  { answered }: RequestBook.RequestBook,
  requestId: RequestId,
  response: RequestResponse
): Effect.Effect<void, ProviderError> =>
  // What was answered is looked up when this runs: the other answer may be under way before that.
  Effect.suspend(() => {
    const before = answered.get(requestId)
    if (before === compact(response)) return Effect.void
    return Effect.fail(
      refusal(
        "request-closed",
        "This request is closed.",
        before === undefined
          ? "It was withdrawn, or it ended with its turn."
          : "It was answered before, and differently."
      )
    )
  })
