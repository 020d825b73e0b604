/** Calls that are about now: they never happen later, on another connection, or twice. */
import * as Effect from "effect/Effect"
import type { RpcClientError } from "effect/rpc/RpcClientError"
import * as Schema from "effect/Schema"
import { type Client, whenLost } from "./Client.ts"

/**
 * A call without an answer.
 *
 * - `NoConnection`: it was not sent.
 * - `AnswerLost`: the connection ended first. The server may have done it or not.
 */
export class Unanswered extends Schema.TaggedError<Unanswered>()("Unanswered", {
  reason: Schema.Literals(["NoConnection", "AnswerLost"])
}) {}

/** Makes a call on the connection of this moment. For calls that change something, and have no id that makes them safe to repeat. */
export const once =
  <Any = Client>(clientNow: () => Any | undefined) =>
  <A, E>(
    call: (client: Any) => Effect.Effect<A, E | RpcClientError>
  ): Effect.Effect<A, Exclude<E, RpcClientError> | Unanswered> =>
    Effect.suspend(() => {
      const client = clientNow()
      if (client === undefined) return Effect.fail(new Unanswered({ reason: "NoConnection" }))
      return call(client).pipe(
        Effect.map((value) => ({ value })),
        whenLost(undefined),
        Effect.flatMap((answer) =>
          answer === undefined ? Effect.fail(new Unanswered({ reason: "AnswerLost" })) : Effect.succeed(answer.value)
        )
      )
    })
