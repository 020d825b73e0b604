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
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Dispatch from "./Dispatch.ts"
import * as IncomingSteps from "./IncomingSteps.ts"
import {
  type CallFailure,
  ConnectionClosed,
  type Issue,
  type Notification,
  type Request,
  type RpcError
} from "./JsonRpc.ts"
import * as Outbox from "./Outbox.ts"
import * as Outgoing from "./Outgoing.ts"
import * as PendingCalls from "./PendingCalls.ts"
import * as RunningRequests from "./RunningRequests.ts"
import { type Transport, TransportError } from "./Transport.ts"
import * as WireLines from "./WireLines.ts"
import type { Tap } from "./WireLines.ts"

/** How long input is still read after writing has failed, and output still written after closing. */
export const lastWordsGrace = "1 second"

export interface CallOptions {
  /**
   * Runs when the call is settled, in the reader's order: after everything that came before the response, before
   * anything that comes after it, and before the caller goes on. It runs for a caller that was interrupted too.
   * `line` is the number of the response, absent when the connection closed instead. It must not wait for the other side.
   */
  readonly onResponse?: PendingCalls.OnResponse
  /**
   * Whether interrupting the caller sends `$/cancel_request` (ACP v1, cancellation). Default true; a prompt is
   * cancelled by `session/cancel` instead.
   */
  readonly cancelOnInterrupt?: boolean
}

export interface JsonRpcPeer {
  /** Sends a request and waits for its answer. `params` has to be JSON. */
  readonly call: (method: string, params: unknown, options?: CallOptions) => Effect.Effect<unknown, CallFailure>
  /** Sends a notification; waits only while a megabyte or more is still to be written. */
  readonly notify: (method: string, params: unknown) => Effect.Effect<void, ConnectionClosed>
  /**
   * Ends the connection from this side: waiting calls fail, what was sent is still written, nothing more is read. Not for
   * handlers and `onResponse`, which the reader waits for.
   */
  readonly close: Effect.Effect<void>
  /** Completes, with the reason, when the connection is over and everything that was read has been dispatched. */
  readonly closed: Effect.Effect<ConnectionClosed>
}

export interface Handlers<R> {
  /** Answers a request; a failure is the error that is sent. Interrupted by `$/cancel_request` and at the end. */
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
}

const closedHere = () => new ConnectionClosed({ reason: "Closed", message: "Closed by this side" })

const broken = (reason: "ReadFailed" | "WriteFailed", cause: Cause.Cause<unknown>): ConnectionClosed => {
  const transport = TransportError.of(cause)
  return new ConnectionClosed({ reason, message: Outgoing.messageOf(cause), ...(transport && { transport }) })
}

/** Starts reading at once; `handlersOf` is called before, with a peer that can be used from then on. */
export const make = Effect.fnUntraced(function* <E, R>(
  transport: Transport<E>,
  handlersOf: (peer: JsonRpcPeer) => Handlers<R>,
  options: Options = {}
): Effect.fn.Return<JsonRpcPeer, never, R | Scope.Scope> {
  const { finishRequestsWithin, tap } = options
  const outbox = Outbox.make()
  const lines = WireLines.make(tap)
  const steps = IncomingSteps.make(lines, tap !== undefined, options.maxLineBytes)
  const closed = yield* Deferred.make<ConnectionClosed>()
  let over: ConnectionClosed | undefined

  /** The input has ended, and who is still at work may say so. */
  const finishing = () => over?.reason === "InputEnded" && finishRequestsWithin !== undefined

  const report = (issue: Issue) => handlers.onIssue?.(issue)

  /** Keeps the reader alive when our own code throws; interruption passes. */
  const guarded = <R2>(method: string | undefined, effect: Effect.Effect<void, never, R2>) =>
    Effect.catchCauseIf(
      effect,
      (cause) => !Cause.hasInterrupts(cause),
      (cause) => Effect.sync(() => report({ _tag: "HandlerDefect", method, message: Outgoing.messageOf(cause) }))
    )

  // ---------------------------------------------------------------- out

  const out = Outgoing.make(
    (text, message) => {
      if (!outbox.offer(text)) return
      lines.sent(text, message)
    },
    (method, message) => report({ _tag: "HandlerDefect", method, message })
  )

  const calls = PendingCalls.make(guarded)

  const call: JsonRpcPeer["call"] = (method, params, callOptions = {}) =>
    Effect.suspend(() => {
      if (over !== undefined) return Effect.fail(over)
      const sent = calls.open(method, callOptions.onResponse, (id) => out.send({ id, method, params }))
      // The call stays registered: its answer is still due, and is no stray when it comes.
      return Effect.onInterrupt(sent.answer, () =>
        Effect.sync(() => {
          if (callOptions.cancelOnInterrupt !== false && sent.isPending())
            out.send({ method: "$/cancel_request", params: { requestId: sent.id } })
        })
      )
    })

  const notify: JsonRpcPeer["notify"] = (method, params) =>
    Effect.suspend(() => {
      if (over !== undefined && !finishing()) return Effect.fail(over)
      out.send({ method, params })
      return outbox.room
    })

  const close = Effect.suspend(() => {
    outbox.end()
    return Effect.andThen(finish(closedHere()), Effect.andThen(requests.clear, Fiber.interrupt(reader)))
  })

  const peer: JsonRpcPeer = { call, notify, close, closed: Deferred.await(closed) }
  const handlers = handlersOf(peer)

  // ---------------------------------------------------------------- end

  const failCalls = (error: ConnectionClosed) =>
    Effect.suspend(() => {
      over ??= error
      return calls.failAll(over)
    })

  const finish = (error: ConnectionClosed) =>
    Effect.andThen(
      failCalls(error),
      Effect.suspend(() => Deferred.succeed(closed, over ?? error))
    )

  const writer = yield* Stream.run(outbox.stream, transport.output).pipe(Effect.exit, Effect.forkScoped)
  yield* Effect.addFinalizer(() =>
    Effect.sync(outbox.end).pipe(Effect.andThen(Effect.timeoutOption(Fiber.await(writer), lastWordsGrace)))
  )
  const requests = yield* RunningRequests.make({
    onRequest: handlers.onRequest,
    out,
    isOpen: () => over === undefined || finishing()
  })
  yield* Effect.addFinalizer(() => finish(closedHere()))

  // ---------------------------------------------------------------- in

  const dispatch = Dispatch.make({
    lines,
    calls,
    out,
    requests,
    room: outbox.room,
    onNotifications: handlers.onNotifications,
    report,
    guarded,
    answerParseErrors: options.answerParseErrors === true
  })

  const reader = yield* Stream.runForEachArray(transport.input, (chunks) =>
    Effect.suspend(() => dispatch(steps.push(chunks)))
  ).pipe(
    Effect.andThen(Effect.suspend(() => dispatch(steps.end()))),
    Effect.exit,
    Effect.flatMap((exit) => {
      const error = Exit.isSuccess(exit)
        ? new ConnectionClosed({ reason: "InputEnded", message: "The other side closed the connection" })
        : broken("ReadFailed", exit.cause)
      const requestsDone = finishRequestsWithin === undefined ? Effect.void : requests.finished(finishRequestsWithin)
      return failCalls(error).pipe(
        Effect.andThen(requestsDone),
        Effect.andThen(finish(error)),
        Effect.andThen(requests.clear)
      )
    }),
    Effect.forkScoped
  )

  yield* Fiber.join(writer).pipe(
    Effect.flatMap((exit) => {
      if (Exit.isSuccess(exit)) return Effect.void
      over ??= broken("WriteFailed", exit.cause)
      const reason = over
      outbox.end()
      return Effect.andThen(
        Effect.timeoutOption(Fiber.await(reader), lastWordsGrace),
        Effect.andThen(Fiber.interrupt(reader), finish(reason))
      )
    }),
    Effect.forkScoped
  )

  return peer
})
