/**
 * Sends a prompt within a turn, to agents that support it (`_session/steering`). The agent's later text stands after
 * it.
 */
import * as AcpSteering from "@signalbox/acp/Steering"
import { promptWords } from "@signalbox/contracts/Content"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Interjection from "../../Services/ProviderAdapter.ts"
import { type ProviderError, providerError } from "../../../base/ProviderError.ts"
import type { SessionCore } from "./SessionCore.ts"
import * as SessionPhase from "./SessionPhase.ts"
import * as SessionProjection from "../projection/SessionProjection.ts"
import * as SessionOver from "./SessionOver.ts"
import { fitted } from "./Turn.ts"
import * as EventSink from "../projection/EventSink.ts"

/** Limit for an answer. An agent that has not answered by then may have taken the prompt or not. */
const answerTimeout = Duration.seconds(15)

/**
 * Sends a prompt into the running turn. `not-taken`: the agent can't take it now. Specified by `ProviderAdapter.steer`.
 */
export const steer = Effect.fn("Steering.steer")(function* (
  core: SessionCore,
  { into, prompt, turnId }: Interjection.Steering
): Effect.fn.Return<"taken" | "not-taken", ProviderError> {
  const { client, emission, memory, profile, record, resumeToken, status } = core
  if (SessionPhase.isOver(status.phase)) return yield* SessionOver.unavailable(core)
  if (!AcpSteering.isOffered(client.initialized()) || status.turn?.turnId !== into || status.turn.cancelling)
    return "not-taken"
  const { blocks, changes } = yield* Effect.fromResult(fitted(core, prompt))
  const text = promptWords(prompt)
  // Later words of the agent may answer this prompt already, so they stand after it.
  emission.emit((projection) => SessionProjection.interject(projection, text))
  const outcome = yield* AcpSteering.steer(client, { sessionId: resumeToken, prompt: blocks }).pipe(
    Effect.timeoutOrElse({ duration: answerTimeout, orElse: () => Effect.succeed("unknown" as const) }),
    Effect.catchTags({
      RpcError: () => Effect.succeed("promptRequired" as const),
      CapabilityMissing: () => Effect.succeed("promptRequired" as const),
      InvalidRequest: () => Effect.succeed("promptRequired" as const),
      ConnectionClosed: () => Effect.succeed("unknown" as const),
      MalformedResult: () => Effect.succeed("unknown" as const)
    })
  )
  if (outcome === "promptRequired") return "not-taken"
  if (outcome === "unknown")
    return yield* providerError(
      "request-failed",
      `It is not known whether ${profile.name} has this prompt.`,
      "It was given to the agent in the middle of a turn, and the agent did not say whether it took it. It was not sent again.",
      { nextSteps: [{ action: "send-again", label: "Send it again" }] }
    )
  memory.prompts.push(text)
  record.turn(turnId, prompt, core.now(), into)
  emission.emit(({ sink }) => {
    for (const message of changes) EventSink.push(sink, { type: "runtime.warning", turnId: into, message })
  })
  return "taken"
})
