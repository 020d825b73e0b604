/** Calls of this side that wait for their response. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { CallFailure, ConnectionClosed, RpcError } from "./JsonRpc.ts"

/**
 * Runs when a call is settled, before its caller continues. `line`: the number of the response. Undefined if the
 * connection closed instead.
 */
export type OnResponse = (exit: Exit.Exit<unknown, CallFailure>, line: number | undefined) => Effect.Effect<void>

interface PendingCall {
  readonly method: string
  readonly deferred: Deferred.Deferred<unknown, CallFailure>
  readonly onResponse: OnResponse | undefined
}

/** A call that was sent. */
export interface Sent {
  readonly answer: Effect.Effect<unknown, CallFailure>
  readonly isPending: () => boolean
  readonly id: number
}

export interface PendingCalls {
  /** Gives a call an id, sends it, and waits for its response. */
  readonly open: (method: string, onResponse: OnResponse | undefined, send: (id: number) => void) => Sent
  /** Settles the call with this response's id. Undefined if there is none. */
  readonly settle: (
    id: unknown,
    exit: Exit.Exit<unknown, RpcError>,
    line: number | undefined
  ) => Effect.Effect<void> | undefined
  readonly failAll: (reason: ConnectionClosed) => Effect.Effect<void>
}

/** @param guarded keeps the reader alive when `onResponse` throws */
export const make = (guarded: (method: string, effect: Effect.Effect<void>) => Effect.Effect<void>): PendingCalls => {
  const pending = new Map<number, PendingCall>()
  let lastId = -1

  const settled = (
    { deferred, method, onResponse }: PendingCall,
    exit: Exit.Exit<unknown, CallFailure>,
    line: number | undefined
  ): Effect.Effect<void> => {
    const done = Effect.asVoid(Deferred.done(deferred, exit))
    if (onResponse === undefined) return done
    return Effect.andThen(
      guarded(
        method,
        Effect.suspend(() => onResponse(exit, line))
      ),
      done
    )
  }

  return {
    open: (method, onResponse, send) => {
      const deferred = Deferred.makeUnsafe<unknown, CallFailure>()
      lastId += 1
      const id = lastId
      send(id)
      pending.set(id, { method, deferred, onResponse })
      return { id, answer: Deferred.await(deferred), isPending: () => pending.has(id) }
    },
    settle: (id, exit, line) => {
      const call = typeof id === "number" ? pending.get(id) : undefined
      if (call === undefined) return undefined
      pending.delete(Number(id))
      return settled(call, exit, line)
    },
    failAll: (reason) =>
      Effect.suspend(() => {
        const calls = [...pending.values()]
        pending.clear()
        return Effect.forEach(calls, (call) => settled(call, Exit.fail(reason), undefined), { discard: true })
      })
  }
}
