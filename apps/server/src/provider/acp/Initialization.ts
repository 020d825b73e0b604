/** The first words with an agent: who we are, who it is, and the login where it needs one (ACP v1, initialization). */
import type { AcpClient } from "@signalbox/acp/AcpClient"
import { type RequestFailure, UnsupportedVersion } from "@signalbox/acp/AcpError"
import type { InitializeResponse } from "@signalbox/acp/AcpSchema"
import * as Effect from "effect/Effect"
import type { ProviderError } from "../Services/ProviderError.ts"
import { unsupportedVersion } from "./AgentProblems.ts"
import type { AgentProfile, Launch } from "./AgentProfile.ts"

/** Turns the failure of a call into what callers of `startSession` are told; waits for the exit where there was one. */
export type Explain = (method: string, failure: RequestFailure) => Effect.Effect<ProviderError>

export const initialize = Effect.fnUntraced(function* (
  client: AcpClient,
  profile: AgentProfile,
  explain: Explain
): Effect.fn.Return<InitializeResponse, ProviderError> {
  return yield* client
    .initialize({
      clientInfo: { name: "signalbox", title: "Signalbox", version: "0.1.0" },
      capabilities: {
        session: { configOptions: { boolean: {} }, notices: {} },
        ...(Object.keys(profile.clientMeta).length > 0 && { _meta: profile.clientMeta })
      }
    })
    .pipe(
      Effect.catch((failure) =>
        failure instanceof UnsupportedVersion
          ? Effect.fail(unsupportedVersion(profile, failure.message))
          : Effect.flatMap(explain("initialize", failure), Effect.fail)
      )
    )
})

/** Best effort: whether a login is missing is for `session/new` to say. */
export const authenticate = (
  client: AcpClient,
  profile: AgentProfile,
  launch: Launch,
  agent: InitializeResponse
): Effect.Effect<void> => {
  const methodIds = (agent.authMethods ?? []).map(({ id }) => id)
  const choice = profile.authenticate(methodIds, launch)
  if (choice === undefined) return Effect.void
  return client.authenticate({ methodId: choice.methodId }).pipe(Effect.timeoutOption(choice.timeout), Effect.ignore)
}
