/** Prompts whose turns have not ended. Version 2 answers a prompt when the agent has taken it in; its sender waits for the end. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { CallFailure, ConnectionClosed } from "../rpc/JsonRpc.ts"
import type { JsonRpcPeer } from "../rpc/JsonRpcPeer.ts"
import type { OnResponse } from "../rpc/PendingCalls.ts"
import { sessionIdOf } from "./SessionId.ts"
import type { Outcome, Turns } from "./Turns.ts"

export interface Prompts {
  /** A call that sends a prompt by the given one, and completes when its turn has ended. */
  readonly sentBy: (call: JsonRpcPeer["call"]) => JsonRpcPeer["call"]
  /** Ends the turn of a session for the sender of its prompt. `line`: the number of the message that ended it. */
  readonly settle: (sessionId: string, outcome: Outcome | undefined, line: number | undefined) => Effect.Effect<void>
  /** Fails all prompts: the connection is over. */
  readonly failAll: (error: ConnectionClosed) => Effect.Effect<void>
}

export const make = (turns: Pick<Turns, "begin" | "accepted" | "refused">): Prompts => {
  const waiting = new Map<string, OnResponse>()

  const settle: Prompts["settle"] = (sessionId, outcome, line) =>
    (outcome && waiting.get(sessionId)?.(outcome, line)) ?? Effect.void

  const sentBy: Prompts["sentBy"] =
    (call) =>
    (method, params, given = {}) =>
      Effect.suspend(() => {
        const sessionId = sessionIdOf(params)
        const done = Deferred.makeUnsafe<unknown, CallFailure>()
        const forget = () => {
          if (waiting.get(sessionId) !== end) return
          waiting.delete(sessionId)
          turns.refused(sessionId)
        }
        const end: OnResponse = (exit, line) =>
          Effect.ensuring(
            Effect.suspend(() => {
              forget()
              return given.onResponse?.(exit, line) ?? Effect.void
            }),
            Deferred.done(done, exit)
          )
        waiting.set(sessionId, end)
        turns.begin(sessionId)
        const onResponse: OnResponse = (exit, line) =>
          Exit.isFailure(exit) ? end(exit, line) : settle(sessionId, turns.accepted(sessionId, exit.value), line)
        return call(method, params, { ...given, onResponse }).pipe(
          // A closed connection refuses calls without a response.
          Effect.tapError(() => Effect.sync(forget)),
          Effect.andThen(Deferred.await(done))
        )
      })

  return {
    sentBy,
    settle,
    failAll: (error) =>
      Effect.suspend(() =>
        Effect.forEach([...waiting.values()], (each) => each(Exit.fail(error), undefined), { discard: true })
      )
  }
}
