/** Stops a session: cancels its turn, ends its process, and emits its end. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type { ProviderError } from "../../../base/ProviderError.ts"
import { noSession } from "../connection/AgentProblems.ts"
import * as Cancellation from "./Cancellation.ts"
import type { SessionCore } from "./SessionCore.ts"
import * as SessionEnd from "./SessionEnd.ts"
import * as SessionPhase from "./SessionPhase.ts"

/** Ends the process, politely first. Completes when the end was emitted, for any cause. */
export const stop = Effect.fnUntraced(function* (core: SessionCore) {
  const { gone, process, status } = core
  if (!SessionPhase.send(status, "stopped")) return yield* Deferred.await(gone)
  if (status.turn !== undefined) yield* Cancellation.request(core, status.turn)
  const exit = yield* process.stop
  SessionEnd.tell(core, exit, { expected: true, turn: { outcome: "cancelled" } })
}, Effect.uninterruptible)

/** Ends a session that the agent has lost. The next call that needs the session opens it again. */
export const leave = (core: SessionCore): Effect.Effect<never, ProviderError> =>
  Effect.andThen(stop(core), Effect.fail(noSession(core.profile.name)))
