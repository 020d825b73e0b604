/** Sends calls and notifications while the connection is open. */
import * as Effect from "effect/Effect"
import type { ConnectionEnd } from "./ConnectionEnd.ts"
import type { Cancellation } from "./Incoming.ts"
import type { CallFailure, ConnectionClosed } from "./JsonRpc.ts"
import type { Outbox } from "./Outbox.ts"
import type { Outgoing } from "./Outgoing.ts"
import type { OnResponse, PendingCalls } from "./PendingCalls.ts"

export interface CallOptions {
  /**
   * Runs when the call is settled, in the reader's order: after everything that came before the response, before
   * anything that comes after it, and before the caller goes on. It runs for a caller that was interrupted too.
   * `line` is the number of the response, absent when the connection closed instead. It must not wait for the other side.
   */
  readonly onResponse?: OnResponse
  /**
   * Whether interrupting the caller cancels the request (ACP v1, cancellation). Default true; a prompt is cancelled by
   * `session/cancel` instead.
   */
  readonly cancelOnInterrupt?: boolean
}

export interface Caller {
  /** Sends a request and waits for its answer. `params` has to be JSON. */
  readonly call: (method: string, params: unknown, options?: CallOptions) => Effect.Effect<unknown, CallFailure>
  /** Sends a notification; waits only while a megabyte or more is still to be written. */
  readonly notify: (method: string, params: unknown) => Effect.Effect<void, ConnectionClosed>
}

interface Options {
  readonly calls: Pick<PendingCalls, "open">
  readonly end: Pick<ConnectionEnd, "reason" | "maySpeak">
  readonly out: Pick<Outgoing, "send">
  readonly outbox: Pick<Outbox, "room">
  readonly cancellation: Cancellation
}

export const make = ({ calls, cancellation, end, out, outbox }: Options): Caller => ({
  call: (method, params, { cancelOnInterrupt, onResponse } = {}) =>
    Effect.suspend(() => {
      const over = end.reason()
      if (over !== undefined) return Effect.fail(over)
      const sent = calls.open(method, onResponse, (id) => out.send({ id, method, params }))
      // The call stays registered: its answer is still due, and is no stray when it comes.
      return Effect.onInterrupt(sent.answer, () =>
        Effect.sync(() => {
          if (cancelOnInterrupt !== false && sent.isPending())
            out.send({ method: cancellation.method, params: { [cancellation.idMember]: sent.id } })
        })
      )
    }),
  notify: (method, params) =>
    Effect.suspend(() => {
      const over = end.reason()
      if (over !== undefined && !end.maySpeak()) return Effect.fail(over)
      out.send({ method, params })
      return outbox.room
    })
})
