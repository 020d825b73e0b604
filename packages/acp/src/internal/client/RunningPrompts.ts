/** The turns that run: one in a session at most, from its prompt to the answer (ACP v1, prompt turn). */
import * as Effect from "effect/Effect"
import { InvalidRequest } from "../protocol/AcpError.ts"
import type { PromptRequest, PromptResponse } from "../generated/v1.ts"
import type { Method } from "../protocol/Endpoint.ts"
import type { OpenQuestions } from "./OpenQuestions.ts"

export interface RunningPrompts {
  /** Sends a prompt unless one runs in its session. It runs until it is answered, whether its caller waits for that or not. */
  readonly run: (send: Method<PromptRequest, PromptResponse>) => Method<PromptRequest, PromptResponse>
  /** Tells the agent, then takes back what is asked in the session, until the turn has ended. */
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
          // By the time a caller hears of it, another prompt may run.
          if (running.get(sessionId) !== turn) return
          running.delete(sessionId)
          questions.resume(sessionId)
        }
        const onResponse: NonNullable<typeof options>["onResponse"] = (exit, line) => {
          end()
          return options?.onResponse?.(exit, line) ?? Effect.void
        }
        // A prompt that was never sent has no answer to end at.
        return Effect.tapError(send(params, { onResponse }), () => Effect.sync(end))
      }),
    cancel: (sessionId, tell) =>
      Effect.suspend(() => {
        const takeBack = Effect.sync(() => {
          questions.withdraw(sessionId)
          if (!running.has(sessionId)) questions.resume(sessionId)
        })
        // Side by side: an agent that does not read keeps nobody else waiting.
        return Effect.map(Effect.all([tell, takeBack], { concurrency: 2 }), ([told]) => told)
      })
  }
}
