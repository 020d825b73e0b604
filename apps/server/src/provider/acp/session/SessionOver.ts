/** Why nothing can be asked of a session that is at its end. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { ProviderError } from "../../../base/ProviderError.ts"
import { noSession } from "../connection/AgentProblems.ts"
import type { SessionCore } from "./SessionCore.ts"

/** The error of a call on a session that is at its end. One whose agent is not to be heard any more is told as that. */
export const unavailable = (core: SessionCore): Effect.Effect<never, ProviderError> =>
  Effect.suspend(() => {
    const none = noSession(core.profile.name)
    if (core.status.phase === "stopping") return Effect.fail(none)
    const named = () => {
      const { endedBy } = core.status
      return Effect.fail(endedBy?.code === "agent-output-closed" ? new ProviderError({ problem: endedBy }) : none)
    }
    return Effect.flatMap(Deferred.await(core.gone), named)
  })
