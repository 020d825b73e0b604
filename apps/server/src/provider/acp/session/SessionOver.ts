/** Explains why a session that has ended accepts no calls. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { ProviderError } from "../../../base/ProviderError.ts"
import { noSession } from "../connection/AgentProblems.ts"
import type { SessionCore } from "./SessionCore.ts"

/** The error of a call to a session that has ended. If the agent closed its output, the error says so. */
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
