/**
 * Carries out the intents of a thread: calls its agent, and puts the failures of those calls on record as events.
 * Runs beside the thread, never in its lane. So nothing that an agent is slow at holds up a command.
 */
import type { RequestId } from "@signalbox/contracts/Ids"
import type { Problem } from "@signalbox/contracts/Problem"
import type { OrchestrationEvent } from "@signalbox/contracts/ThreadEvent"
import type { ThreadHead } from "@signalbox/contracts/ThreadView"
import type { Intent } from "@signalbox/threads/Intent"
import * as SessionState from "@signalbox/threads/SessionState"
import { isRunning } from "@signalbox/threads/TurnState"
import * as Effect from "effect/Effect"
import * as MutableRef from "effect/MutableRef"
import * as Option from "effect/Option"
import * as Semaphore from "effect/Semaphore"
import type { ProviderCatalog } from "../provider/Services/ProviderCatalog.ts"
import { ProviderService } from "../provider/Services/ProviderService.ts"
import { reporting } from "./ReactionProblems.ts"
import type { ReactingThread } from "./ReactingThread.ts"
import * as SessionHistory from "./SessionHistory.ts"
import * as SessionRestarts from "./SessionRestarts.ts"
import * as SettingChanges from "./SettingChanges.ts"
import * as ThreadSession from "./ThreadSession.ts"
import * as TurnRuns from "./TurnRuns.ts"

type Answered = Extract<OrchestrationEvent, { readonly type: "request.answered" }>

export interface ProviderCommandReactor {
  /** Calls the agent. A failure is in the thread's log when this returns. A stop after this call takes back a start. */
  readonly carryOut: (intent: Intent) => Effect.Effect<void>
  /** Ends the agent; returns when the log has taken in that it and its turn have ended. What waits is left. */
  readonly end: Effect.Effect<void>
}

/** `history` is folded by the committer of the thread's events, before anybody else learns of them. */
export const make = Effect.fnUntraced(function* (
  thread: ReactingThread,
  history: MutableRef.MutableRef<SessionHistory.SessionHistory>
): Effect.fn.Return<ProviderCommandReactor, never, ProviderService | ProviderCatalog> {
  const provider = yield* ProviderService
  const { append, threadId, until } = thread
  const sessionLane = yield* Semaphore.make(1)
  const session = yield* ThreadSession.make(thread, history, sessionLane)
  const changeSetting = yield* SettingChanges.make(thread, sessionLane)
  const restarts = yield* SessionRestarts.make(thread, session, history)
  const turns = yield* TurnRuns.make(thread, session, restarts, history)

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

  /** A session that is gone has taken its profile along. */
  const applyProfile = ({ profile }: Extract<Intent, { readonly type: "profile.apply" }>["chosen"]) =>
    Effect.ignore(provider.setProfile(threadId, profile))

  const carryOut = (intent: Intent): Effect.Effect<void> => {
    switch (intent.type) {
      case "turn.run":
        return turns.run(intent.turn.turnId)
      case "turn.interject":
        return turns.interject(intent.turn.turnId)
      case "turn.interrupt":
        return turns.interrupt(intent.turnId)
      case "request.answer":
        return respond(intent.answered)
      case "setting.change":
        return changeSetting(intent.requested)
      case "profile.apply":
        return applyProfile(intent.chosen)
      case "session.start":
        return session.start()
      case "session.stop":
        return session.stop()
      case "session.reopen":
        return session.reopen
      case "session.revive":
        return restarts.revive
    }
  }

  return {
    carryOut,
    end: Effect.gen(function* () {
      MutableRef.update(history, SessionHistory.stopped)
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
  !SessionState.isOn(session.state) && !turns.some(({ status }) => isRunning(status))
