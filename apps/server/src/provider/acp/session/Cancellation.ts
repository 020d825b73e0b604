/**
 * Stopping a turn (ACP v1, prompt-turn, cancellation): the agent is told by a notification, and what waits for people is answered
 * `cancelled`. Running calls are marked at once. The turn still ends with the agent's response. An agent that does not respond within the
 * grace is ended with its whole process group.
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

/** Tells the agent to stop and closes what is open on our side. Does not wait. */
export const request = (core: SessionCore, turn: RunningTurn): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (turn.cancelling) return Effect.void
    turn.cancelling = true
    // First on the wire: an agent that is refused something before it hears of the stop would go on with the turn.
    return tellAgent(core).pipe(
      Effect.andThen(
        Effect.sync(() => {
          core.requests.closeAll({ type: "cancelled" })
          core.emission.emit(SessionProjection.cancelTools)
        })
      ),
      Effect.andThen(Effect.forkDetach(core.terminals?.stopTurn ?? Effect.void))
    )
  })

/** It is sent at once; only waiting for an agent that does not read is left to the background. */
const tellAgent = ({ client, resumeToken }: SessionCore) =>
  Effect.forkDetach(Effect.ignore(client.cancel({ sessionId: resumeToken })), { startImmediately: true })

/** After this the agent is told again: some miss what comes right behind a prompt that they have not begun with. */
const patience = Duration.seconds(1)

/** Returns when the turn has ended, or `stuck` when the agent has let the grace pass. */
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
  // Once begun it is brought to its end: whoever waits for the turn would wait forever otherwise.
}, Effect.uninterruptible)
