/**
 * Stops a turn (ACP v1, prompt-turn, cancellation). The agent gets a notification, and pending requests are answered
 * `cancelled`. Running calls are marked at once. The turn still ends with the agent's response. An agent that does not
 * respond within the grace is killed with its process group.
 */
import type { TurnId } from "@signalbox/contracts/Ids"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { cancelTimeout } from "../connection/TimeoutProblems.ts"
import { evidenceOf } from "../../agent/RunningAgent.ts"
import type { RunningTurn, SessionCore } from "./SessionCore.ts"
import * as SessionEnd from "./SessionEnd.ts"
import * as SessionPhase from "./SessionPhase.ts"
import * as SessionProjection from "../projection/SessionProjection.ts"

/** Sends the cancellation and closes what is open on our side. Does not wait. */
export const request = (core: SessionCore, turn: RunningTurn): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (turn.cancelling) return Effect.void
    turn.cancelling = true
    // The notification is sent first: an agent that sees a refusal before it would continue the turn.
    return tellAgent(core).pipe(
      Effect.andThen(
        Effect.sync(() => {
          core.requests.closeAll({ type: "cancelled" })
          core.editor.withdrawWrites()
          core.emission.emit(SessionProjection.cancelTools)
        })
      ),
      Effect.andThen(Effect.forkDetach(core.terminals?.stopTurn ?? Effect.void))
    )
  })

/** Sends the notification at once. Only the wait for an agent that does not read runs in the background. */
const tellAgent = ({ client, resumeToken }: SessionCore) =>
  Effect.forkDetach(Effect.ignore(client.cancel({ sessionId: resumeToken })), { startImmediately: true })

/**
 * Time until the notification is repeated. Some agents miss one that follows a prompt before they have begun with it.
 */
const patience = Duration.seconds(1)

/** Stops a turn. Returns when it has ended, or `stuck` if the agent has let the grace pass. */
export const interrupt = Effect.fn("Cancellation.interrupt")(function* (
  core: SessionCore,
  turnId: TurnId
): Effect.fn.Return<"ended" | "stuck"> {
  const { turn } = core.status
  if (turn === undefined || turn.turnId !== turnId) return "ended"
  yield* request(core, turn)
  const ended = (within: Duration.Duration) => Effect.timeoutOption(Deferred.await(turn.done), within)
  const first = Duration.min(patience, core.cancelGrace)
  if (Option.isSome(yield* ended(first))) return "ended"
  yield* tellAgent(core)
  const done = yield* ended(Duration.subtract(core.cancelGrace, first))
  return Option.isNone(done) && core.status.turn === turn ? "stuck" : "ended"
})

/** Ends the process group of an agent that did not stop. The turn counts as cancelled, and says how. */
export const escalate = Effect.fn("Cancellation.escalate")(function* (core: SessionCore) {
  const { cancelGrace, gone, process, profile, status } = core
  if (!SessionPhase.send(status, "stopped")) return yield* Deferred.await(gone)
  const exit = yield* process.kill
  const problem = cancelTimeout(profile.name, Duration.toSeconds(cancelGrace), evidenceOf(exit))
  SessionEnd.tell(core, exit, { expected: true, turn: { outcome: "cancelled", problem } })
  // Uninterruptible: if it stopped halfway, callers that wait for the turn would wait forever.
}, Effect.uninterruptible)
