/**
 * One end of a JSON-RPC 2.0 conversation over newline-delimited JSON. Both ends may call each other.
 *
 * **Order.** Lines are dispatched one after the other by a single reader fiber. Consecutive notifications are handed
 * over as one batch and waited for; so a response never overtakes the notifications before it, and a slow consumer
 * slows the other side down. Requests run in fibers of their own: reading goes on while they are answered, in any order.
 * Reading waits while the other side does not take its answers. How many run at once is bounded (`RunningRequests`).
 *
 * **End.** When the input ends, what was read has been dispatched; then every waiting call fails with `ConnectionClosed`. When writing
 * fails, calls are refused at once. The input is read to its end, for at most {@link lastWordsGrace}: what a dying process still said is
 * kept.
 */
import * as Cause from "effect/Cause"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Caller from "./Caller.ts"
import * as ConnectionEnd from "./ConnectionEnd.ts"
import * as Dispatch from "./Dispatch.ts"
import { acpCancellation, type Cancellation } from "./Incoming.ts"
import * as IncomingSteps from "./IncomingSteps.ts"
import type { ConnectionClosed, Issue, Notification, Request, RpcError } from "./JsonRpc.ts"
import * as Outbox from "./Outbox.ts"
import * as Outgoing from "./Outgoing.ts"
import * as PendingCalls from "./PendingCalls.ts"
import * as RunningRequests from "./RunningRequests.ts"
import type { Transport } from "./Transport.ts"
import * as WireLines from "./WireLines.ts"
import type { Tap } from "./WireLines.ts"

export type { CallOptions } from "./Caller.ts"
export type { Cancellation } from "./Incoming.ts"

/** How long input is still read after writing has failed, and output still written after closing. */
export const lastWordsGrace = "1 second"

export interface JsonRpcPeer extends Caller.Caller {
  /**
   * Ends the connection from this side: waiting calls fail, what was sent is still written, nothing more is read. Not for
   * handlers and `onResponse`, which the reader waits for.
   */
  readonly close: Effect.Effect<void>
  /** Completes, with the reason, when the connection is over and everything that was read has been dispatched. */
  readonly closed: Effect.Effect<ConnectionClosed>
}

export interface Handlers<R> {
  /** Answers a request; a failure is the error that is sent. Interrupted by its cancellation and at the end. */
  readonly onRequest: (request: Request) => Effect.Effect<unknown, RpcError, R>
  /**
   * Consecutive notifications, in the order of the wire. Nothing after them is dispatched before this completes: it must
   * not wait for the other side.
   */
  readonly onNotifications: (batch: ReadonlyArray<Notification>) => Effect.Effect<void, never, R>
  readonly onIssue?: ((issue: Issue) => void) | undefined
}

export interface Options {
  readonly maxLineBytes?: number | undefined
  readonly tap?: Tap | undefined
  /** Answer a line that is not JSON with -32700. Default false: such lines are banners, and nobody waits. */
  readonly answerParseErrors?: boolean | undefined
  /** How long running requests may go on, speak and be answered when the input has ended, as in a pipe. Default: not. */
  readonly finishRequestsWithin?: Duration.Input | undefined
  /** How a request is cancelled, in both directions. Default: `$/cancel_request` with `requestId`, as in ACP. */
  readonly cancellation?: Cancellation | undefined
}

/** Starts reading at once; `handlersOf` is called before, with a peer that can be used from then on. */
export const make = Effect.fnUntraced(function* <E, R>(
  transport: Transport<E>,
  handlersOf: (peer: JsonRpcPeer) => Handlers<R>,
  options: Options = {}
): Effect.fn.Return<JsonRpcPeer, never, R | Scope.Scope> {
  const { answerParseErrors = false, cancellation = acpCancellation, finishRequestsWithin, tap } = options
  const outbox = Outbox.make()
  const lines = WireLines.make(tap)
  const report = (issue: Issue) => handlers.onIssue?.(issue)
  const onDefect = (method: string | undefined, message: string) => report({ _tag: "HandlerDefect", method, message })
  const guarded = guardedBy(onDefect)
  const out = Outgoing.make((text, message) => {
    if (outbox.offer(text)) lines.sent(text, message)
  }, onDefect)
  const calls = PendingCalls.make(guarded)
  const end = ConnectionEnd.make(calls, finishRequestsWithin !== undefined)

  const close = Effect.suspend(() => {
    outbox.end()
    return Effect.andThen(
      end.finish(ConnectionEnd.closedHere()),
      Effect.andThen(requests.clear, Fiber.interrupt(reader))
    )
  })
  const peer: JsonRpcPeer = { ...Caller.make({ calls, cancellation, end, out, outbox }), close, closed: end.closed }
  const handlers = handlersOf(peer)
  const { onNotifications, onRequest } = handlers

  const writer = yield* Stream.run(outbox.stream, transport.output).pipe(Effect.exit, Effect.forkScoped)
  yield* Effect.addFinalizer(() =>
    Effect.sync(outbox.end).pipe(Effect.andThen(Effect.timeoutOption(Fiber.await(writer), lastWordsGrace)))
  )
  const requests = yield* RunningRequests.make({ onRequest, out, isOpen: end.maySpeak })
  yield* Effect.addFinalizer(() => end.finish(ConnectionEnd.closedHere()))

  const { room } = outbox
  const dispatch = Dispatch.make({
    lines,
    calls,
    out,
    requests,
    room,
    onNotifications,
    report,
    guarded,
    answerParseErrors
  })
  const steps = IncomingSteps.make(lines, tap !== undefined, options.maxLineBytes, cancellation)
  const reader = yield* Stream.runForEachArray(transport.input, (chunks) =>
    Effect.suspend(() => dispatch(steps.push(chunks)))
  ).pipe(
    Effect.andThen(Effect.suspend(() => dispatch(steps.end()))),
    Effect.exit,
    Effect.flatMap((exit) => {
      const error = Exit.isSuccess(exit) ? ConnectionEnd.inputEnded() : ConnectionEnd.broken("ReadFailed", exit.cause)
      const requestsDone = finishRequestsWithin === undefined ? Effect.void : requests.finished(finishRequestsWithin)
      return end
        .failCalls(error)
        .pipe(Effect.andThen(requestsDone), Effect.andThen(end.finish(error)), Effect.andThen(requests.clear))
    }),
    Effect.forkScoped
  )

  yield* Fiber.join(writer).pipe(
    Effect.flatMap((exit) => {
      if (Exit.isSuccess(exit)) return Effect.void
      const reason = end.begin(ConnectionEnd.broken("WriteFailed", exit.cause))
      outbox.end()
      return Effect.timeoutOption(Fiber.await(reader), lastWordsGrace).pipe(
        Effect.andThen(Fiber.interrupt(reader)),
        Effect.andThen(end.finish(reason)),
        Effect.andThen(requests.clear)
      )
    }),
    Effect.forkScoped
  )
  return peer
})

/** Keeps the reader alive when our own code throws: reports it. Interruption passes. */
const guardedBy =
  (onDefect: (method: string | undefined, message: string) => void) =>
  <R>(method: string | undefined, effect: Effect.Effect<void, never, R>): Effect.Effect<void, never, R> =>
    Effect.catchCauseIf(
      effect,
      (cause) => !Cause.hasInterrupts(cause),
      (cause) => Effect.sync(() => onDefect(method, Outgoing.messageOf(cause)))
    )
