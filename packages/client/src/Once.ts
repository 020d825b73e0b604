/** Calls that are about now: they never happen later, on another connection, or twice. */
import { type Problem, sentencesOf } from "@signalbox/contracts/Problem"
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
}) {
  /** What people read of it. */
  get problem(): Problem {
    return problems[this.reason]
  }

  override get message(): string {
    return sentencesOf(this.problem)
  }
}

const problems: Readonly<Record<Unanswered["reason"], Problem>> = {
  NoConnection: {
    code: "internal",
    title: "There is no connection to the server.",
    cause: "Nothing was changed.",
    evidence: {},
    nextSteps: [{ action: "wait", label: "Try again when there is a connection" }]
  },
  AnswerLost: {
    code: "internal",
    title: "The connection ended before the server answered.",
    cause: "It may be done, or not.",
    evidence: {},
    nextSteps: [{ action: "check-again", label: "Look whether it is done, and try again if not" }]
  }
}

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
