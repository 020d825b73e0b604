/**
 * Does what was committed: turns a thread's intents into calls of its agent, and the failures of those calls into events.
 * Runs beside the thread, never in its lane, so that nothing that an agent is slow at holds up a command.
 */
import type { RequestId } from "@signalbox/contracts/Ids"
import type { Problem } from "@signalbox/contracts/Problem"
import type { OrchestrationEvent, ThreadEvent } from "@signalbox/contracts/ThreadEvent"
import type { ThreadHead } from "@signalbox/contracts/ThreadView"
import { isRunning } from "@signalbox/threads/TurnState"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { ProviderCatalog } from "../provider/Services/ProviderCatalog.ts"
import { ProviderService } from "../provider/Services/ProviderService.ts"
import { reporting } from "./ReactionProblems.ts"
import type { ReactingThread } from "./ReactingThread.ts"
import * as ThreadSession from "./ThreadSession.ts"
import * as TurnRuns from "./TurnRuns.ts"

type Answered = Extract<OrchestrationEvent, { readonly type: "request.answered" }>

export interface ProviderCommandReactor extends Pick<ThreadSession.ThreadSession, "revive"> {
  /** Follows one committed event through; called in the order of the log. What fails is on the thread's record when this returns. */
  readonly react: (event: OrchestrationEvent) => Effect.Effect<void>
  /** Takes note of what is committed. */
  readonly note: (event: ThreadEvent) => void
  /** Starts the agent as if somebody had asked for it. */
  readonly start: Effect.Effect<void>
  readonly runTurn: TurnRuns.TurnRuns["run"]
  readonly interject: TurnRuns.TurnRuns["interject"]
  /** Ends the agent; returns when the log has taken in that it and its turn have ended. What waits is left. */
  readonly end: Effect.Effect<void>
}

export const make = Effect.fnUntraced(function* (
  thread: ReactingThread
): Effect.fn.Return<ProviderCommandReactor, never, ProviderService | ProviderCatalog> {
  const provider = yield* ProviderService
  const { append, threadId, until } = thread
  const session = yield* ThreadSession.make(thread)
  const turns = yield* TurnRuns.make(thread, session)

  const expire = (requestId: RequestId, problem: Problem) =>
    // A request that ended by itself meanwhile has its own end on the way.
    Effect.timeoutOption(until(isClosed(requestId)), "1 second").pipe(
      Effect.andThen(
        append((head) =>
          isClosed(requestId)(head)
            ? []
            : [{ type: "request.expired", requestId, reason: `${problem.title} ${problem.cause}` }]
        )
      )
    )

  const respond = Effect.fn("ProviderCommandReactor.respond")(({ client, requestId, response }: Answered) =>
    provider.respondToRequest(threadId, requestId, response, client).pipe(
      // Its change is on the way, and opens the request again.
      reporting((problem) => (problem.code === "request-changed" ? Effect.void : expire(requestId, problem)))
    )
  )

  const noteStop = (): void => {
    session.noteStop()
    turns.noteStop()
  }

  const react = (event: OrchestrationEvent): Effect.Effect<void> => {
    if (event.type === "turn.interrupt.requested") return turns.interrupt(event.turnId)
    if (event.type === "request.answered") return respond(event)
    if (event.type === "setting.requested") return session.configure(event)
    if (event.type === "session.start.requested") return session.start()
    if (event.type === "session.stop.requested") return session.stop()
    return Effect.void
  }

  return {
    react,
    note: (event) => {
      if (event.type === "session.stop.requested") noteStop()
      session.note(event)
    },
    start: Effect.andThen(
      append(({ session }) => (session.state === "starting" ? [] : [{ type: "session.start.requested" }])),
      Effect.suspend(session.start)
    ),
    revive: session.revive,
    runTurn: turns.run,
    interject: turns.interject,
    end: Effect.gen(function* () {
      noteStop()
      // An agent that is just about to be started is not there to be stopped yet: then it is tried again.
      do yield* session.stop()
      while (Option.isNone(yield* Effect.timeoutOption(until(isIdle), "250 millis")))
    })
  }
})

const isClosed =
  (requestId: RequestId) =>
  (head: ThreadHead): boolean =>
    !head.requests.some(({ request }) => request.requestId === requestId)

const isIdle = ({ session, turns }: ThreadHead): boolean =>
  session.state !== "starting" && session.state !== "ready" && !turns.some(({ status }) => isRunning(status))
