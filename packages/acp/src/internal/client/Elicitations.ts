/** Questions of an agent to a person, on the client's side. They come as a form or by a page to visit (ACP v1, elicitation). */
import * as Effect from "effect/Effect"
import type {
  CompleteElicitationNotification,
  CreateElicitationRequest,
  CreateElicitationResponse
} from "../generated/v1.ts"
import type { Handler } from "../protocol/Endpoint.ts"
import { RpcError } from "../rpc/JsonRpc.ts"
import type { OpenQuestions } from "./OpenQuestions.ts"

export interface ElicitationHandlers<R> {
  /** The modes that are advertised; another one is answered with -32602. */
  readonly modes: ReadonlyArray<"form" | "url">
  /**
   * Shows it to a person. What a form is filled in with is the handler's to check. An address is shown, not fetched; accepting
   * it says that the person goes there. Interrupted when the session's turn is cancelled or the session closed, which is
   * answered with `cancel`.
   */
  readonly create: Handler<CreateElicitationRequest, CreateElicitationResponse, R>
  /** A page that a person was sent to has done its part. Ids that are not known, or are over, never come here. */
  readonly onComplete?: ((params: CompleteElicitationNotification) => Effect.Effect<void, never, R>) | undefined
}

export interface Elicitations<R> {
  readonly create: Handler<CreateElicitationRequest, CreateElicitationResponse, R>
  readonly complete: (params: CompleteElicitationNotification) => Effect.Effect<void, never, R>
}

export const make = <R>(handlers: ElicitationHandlers<R>, questions: OpenQuestions): Elicitations<R> => {
  /** Addresses that a person was asked to visit, or agreed to, and that are not done. */
  const visits = new Set<string>()

  const create: Elicitations<R>["create"] = (params, request) => {
    if (!handlers.modes.some((mode) => mode === params.mode)) {
      return Effect.fail(RpcError.invalidParams(`Elicitation mode ${params.mode} is not supported`))
    }
    const sessionId = "sessionId" in params && typeof params.sessionId === "string" ? params.sessionId : undefined
    const answered = questions.ask<CreateElicitationResponse, RpcError, R>(
      sessionId,
      Effect.suspend(() => handlers.create(params, request)),
      { action: "cancel" }
    )
    if (params.mode !== "url") return answered
    const { elicitationId } = params
    visits.add(elicitationId)
    return Effect.onExit(answered, (exit) =>
      Effect.sync(() => {
        if (exit._tag === "Failure" || exit.value.action !== "accept") visits.delete(elicitationId)
      })
    )
  }

  return {
    create,
    complete: (params) =>
      visits.delete(params.elicitationId) ? (handlers.onComplete?.(params) ?? Effect.void) : Effect.void
  }
}
