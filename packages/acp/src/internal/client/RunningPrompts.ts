/** The running turns: at most one in a session, from its prompt to the response (ACP v1, prompt turn). */
import * as Effect from "effect/Effect"
import { InvalidRequest } from "../protocol/AcpError.ts"
import type { PromptRequest, PromptResponse } from "../generated/v1.ts"
import type { Method } from "../protocol/Endpoint.ts"
import type { OpenQuestions } from "./OpenQuestions.ts"

export interface RunningPrompts {
  /** Sends a prompt unless one runs in its session. The turn runs until the response, even if its caller leaves. */
  readonly run: (send: Method<PromptRequest, PromptResponse>) => Method<PromptRequest, PromptResponse>
  /** Notifies the agent, then cancels the session's requests to people until the turn has ended. */
  readonly cancel: <A, E>(sessionId: string, tell: Effect.Effect<A, E>) => Effect.Effect<A, E>
}

export const make = (questions: OpenQuestions): RunningPrompts => {
  const running = new Map<string, object>()

  return {
    run: (send) => (params, options) =>
      Effect.suspend(() => {
        const { sessionId } = params
        if (running.has(sessionId)) {
          const message = `A prompt is running in session ${sessionId}`
          return Effect.fail(new InvalidRequest({ method: "session/prompt", message }))
        }
        const turn = {}
        running.set(sessionId, turn)
        const end = () => {
          // Another prompt may run by the time that a caller sees this response.
          if (running.get(sessionId) !== turn) return
          running.delete(sessionId)
          questions.resume(sessionId, "cancelled")
        }
        const onResponse: NonNullable<typeof options>["onResponse"] = (exit, line) => {
          end()
          return options?.onResponse?.(exit, line) ?? Effect.void
        }
        // A prompt that was never sent gets no response, so the turn ends here.
        return Effect.tapError(send(params, { onResponse }), () => Effect.sync(end))
      }),
    cancel: (sessionId, tell) =>
      Effect.suspend(() => {
        const takeBack = Effect.sync(() => {
          questions.withdraw(sessionId, "cancelled")
          if (!running.has(sessionId)) questions.resume(sessionId, "cancelled")
        })
        // Both run concurrently: an agent that does not read must not delay the cancelled requests.
        return Effect.map(Effect.all([tell, takeBack], { concurrency: 2 }), ([told]) => told)
      })
  }
}
