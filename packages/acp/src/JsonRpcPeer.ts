/**
 * One end of a JSON-RPC 2.0 conversation over newline-delimited JSON. Both ends may call each other.
 *
 * **Order.** Lines are dispatched one after the other by a single reader fiber. Consecutive notifications are handed
 * over as one batch and waited for; so a response never overtakes the notifications before it, and a slow consumer
 * slows the other side down. Requests run in fibers of their own: reading goes on while they are answered, in any order.
 * Reading waits while the other side does not take its answers, and no more than {@link maxRunning} requests run at once.
 *
 * **End.** When the input ends, what was read has been dispatched; then every waiting call fails with
 * `ConnectionClosed`. When writing fails, calls are refused at once while the input is read to its end (what a dying
 * process still said is kept), for at most {@link lastWordsGrace}.
 */
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as FiberSet from "effect/FiberSet"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { classify, classifyBeginning, classifyOutermost, type Concerned, type Incoming } from "./Incoming.ts"
import { ConnectionClosed, ErrorCode, type Issue, type Notification, type Request, RpcError } from "./JsonRpc.ts"
import * as LineSplitter from "./LineSplitter.ts"
import * as Nesting from "./Nesting.ts"
import * as Outbox from "./Outbox.ts"
import * as Outgoing from "./Outgoing.ts"
import { type Transport, TransportError } from "./Transport.ts"

/** How long input is still read after writing has failed, and output still written after closing. */
export const lastWordsGrace = "1 second"

/**
 * Requests of the other side that run at once; further ones are refused. They don't wait: behind them the reader would not
 * hear of cancellations, of answers, or of the end.
 */
export const maxRunning = 1_000

export type CallFailure = RpcError | ConnectionClosed

export interface CallOptions {
  /**
   * Runs when the call is settled, in the reader's order: after everything that came before the response, before
   * anything that comes after it, and before the caller goes on. It runs for a caller that was interrupted too.
   * `line` is the number of the response, absent when the connection closed instead. It must not wait for the other side.
   */
  readonly onResponse?: (exit: Exit.Exit<unknown, CallFailure>, line: number | undefined) => Effect.Effect<void>
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

/**
 * Sees every line both ways, synchronously, in the order in which things happen: a line that came in before what came of it
 * went out, and behind what had gone out until it was its turn. `number` counts lines as they arrived. `message` is undefined
 * when the line is not JSON.
 */
export interface Tap {
  readonly onLine: (direction: "in" | "out", line: string, message: unknown, number: number) => void
}

export interface Options {
  readonly maxLineBytes?: number | undefined
  readonly tap?: Tap | undefined
  /** Answer a line that is not JSON with -32700. Default false: such lines are banners, and nobody waits. */
  readonly answerParseErrors?: boolean | undefined
  /** How long running requests may go on, speak and be answered when the input has ended, as in a pipe. Default: not. */
  readonly finishRequestsWithin?: Duration.Input | undefined
}

interface PendingCall {
  readonly method: string
  readonly deferred: Deferred.Deferred<unknown, CallFailure>
  readonly onResponse: CallOptions["onResponse"]
}

/** What is dispatched by itself. */
type Single = Exclude<Incoming, { readonly _tag: "Notification" | "Noise" }>

/** A line that has arrived. `message` is undefined when it is not JSON. */
interface Line {
  readonly text: string
  readonly message: unknown
  readonly number: number
}

const closedHere = () => new ConnectionClosed({ reason: "Closed", message: "Closed by this side" })

/** A thing to do in order: a batch of notifications, or one other message. */
type Step =
  | { readonly _tag: "Batch"; readonly notifications: Array<Notification>; readonly lines: Array<Line> | undefined }
  | { readonly _tag: "Oversized"; readonly head: string }
  | { readonly _tag: "Noise"; readonly line: Line }
  | { readonly _tag: "Deep"; readonly line: Line; readonly message: unknown }
  | { readonly _tag: "Message"; readonly incoming: Single; readonly line: Line }

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
  const pending = new Map<number, PendingCall>()
  const running = new Map<string, Fiber.Fiber<unknown, RpcError>>()
  // Not the size of the map: an id may come twice.
  let runningCount = 0
  const closed = yield* Deferred.make<ConnectionClosed>()
  let over: ConnectionClosed | undefined
  let lastId = -1
  let lines = 0

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
      lines += 1
      tap?.onLine("out", text, message(), lines)
    },
    (method, message) => report({ _tag: "HandlerDefect", method, message })
  )

  const call: JsonRpcPeer["call"] = (method, params, callOptions = {}) =>
    Effect.suspend(() => {
      if (over !== undefined) return Effect.fail(over)
      const deferred = Deferred.makeUnsafe<unknown, CallFailure>()
      lastId += 1
      const id = lastId
      out.send({ id, method, params })
      pending.set(id, { method, deferred, onResponse: callOptions.onResponse })
      // The call stays registered: its answer is still due, and is no stray when it comes.
      return Effect.onInterrupt(Deferred.await(deferred), () =>
        Effect.sync(() => {
          if (callOptions.cancelOnInterrupt !== false && pending.has(id))
            out.send({ method: "$/cancel_request", params: { requestId: id } })
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
    return Effect.andThen(finish(closedHere()), Effect.andThen(FiberSet.clear(requests), Fiber.interrupt(reader)))
  })

  const peer: JsonRpcPeer = { call, notify, close, closed: Deferred.await(closed) }
  const handlers = handlersOf(peer)

  // ---------------------------------------------------------------- end

  const failCalls = (error: ConnectionClosed) =>
    Effect.suspend(() => {
      over ??= error
      const reason = over
      const calls = [...pending.values()]
      pending.clear()
      return Effect.forEach(
        calls,
        (call) => Effect.andThen(settled(call, Exit.fail(reason), undefined), Deferred.fail(call.deferred, reason)),
        { discard: true }
      )
    })

  const finish = (error: ConnectionClosed) =>
    Effect.andThen(
      failCalls(error),
      Effect.suspend(() => Deferred.succeed(closed, over ?? error))
    )

  const settled = (call: PendingCall, exit: Exit.Exit<unknown, CallFailure>, line: number | undefined) =>
    call.onResponse === undefined
      ? Effect.void
      : guarded(
          call.method,
          Effect.suspend(() => call.onResponse?.(exit, line) ?? Effect.void)
        )

  const writer = yield* Stream.run(outbox.stream, transport.output).pipe(Effect.exit, Effect.forkScoped)
  yield* Effect.addFinalizer(() =>
    Effect.sync(outbox.end).pipe(Effect.andThen(Effect.timeoutOption(Fiber.await(writer), lastWordsGrace)))
  )
  const requests = yield* FiberSet.make<unknown, RpcError>()
  const run = yield* FiberSet.runtime(requests)<R>()
  yield* Effect.addFinalizer(() => finish(closedHere()))

  // ---------------------------------------------------------------- in

  const start = (request: Request, idText: string) => {
    if (runningCount >= maxRunning)
      return out.fail(idText, RpcError.internal(`Refused: ${maxRunning} requests are open already`))
    runningCount += 1
    const fiber = run(Effect.suspend(() => handlers.onRequest(request)))
    running.set(idText, fiber)
    fiber.addObserver((exit) => {
      runningCount -= 1
      if (running.get(idText) === fiber) running.delete(idText)
      if (over === undefined || finishing()) out.answer(idText, request.method, exit)
    })
  }

  const tapIn = ({ message, number, text }: Line) => tap?.onLine("in", text, message, number)

  const handle = (step: Step): Effect.Effect<void, never, R> => {
    if (step._tag === "Batch") {
      return guarded(
        step.notifications[0]?.method,
        Effect.suspend(() => {
          step.lines?.forEach(tapIn)
          return handlers.onNotifications(step.notifications)
        })
      )
    }
    return Effect.suspend(() => {
      if (step._tag === "Oversized") return oversized(step.head)
      tapIn(step.line)
      if (step._tag === "Deep") return deep(step.line, step.message)
      return step._tag === "Noise" ? noise(step.line) : single(step.incoming, step.line)
    })
  }

  const single = (incoming: Single, { message, number: line }: Line): Effect.Effect<void, never, R> => {
    if (incoming._tag === "Request") {
      const { id, idText, method, params } = incoming
      return Effect.andThen(
        outbox.room,
        Effect.sync(() => start({ id, method, params, line }, idText))
      )
    }
    if (incoming._tag === "Cancel") return Effect.sync(() => running.get(incoming.idText)?.interruptUnsafe())
    if (incoming._tag === "Response") {
      return (
        settle(incoming.id, incoming.exit, line) ?? Effect.sync(() => report({ _tag: "StrayResponse", line, message }))
      )
    }
    return Effect.sync(() => {
      if (incoming.answer !== undefined) out.fail(incoming.answer.idText, incoming.answer.error)
      report({ _tag: "InvalidMessage", line, message, answered: incoming.answer !== undefined })
    })
  }

  /** Settles the call that waits for this response, if there is one. */
  const settle = (id: unknown, exit: Exit.Exit<unknown, RpcError>, line: number | undefined) => {
    const call = typeof id === "number" ? pending.get(id) : undefined
    if (call === undefined) return undefined
    pending.delete(Number(id))
    return Effect.andThen(settled(call, exit, line), Deferred.done(call.deferred, exit))
  }

  /** Nobody is left waiting for a message that could not be read. */
  const unread = (issue: Issue, concerned: Concerned | undefined, why: string): Effect.Effect<void> =>
    Effect.suspend(() => {
      report(issue)
      if (concerned === undefined) return Effect.void
      const error = new RpcError({ code: ErrorCode.InvalidRequest, message: why })
      if (concerned._tag === "Response")
        return settle(JSON.parse(concerned.idText), Exit.fail(error), undefined) ?? Effect.void
      return Effect.sync(() => out.fail(concerned.idText, error))
    })

  const oversized = (head: string) =>
    unread({ _tag: "OversizedLine", head }, classifyBeginning(head), "The message is too long")

  const deep = ({ number, text }: Line, message: unknown) =>
    unread(
      { _tag: "DeepMessage", line: number, head: text.slice(0, LineSplitter.headBytes) },
      classifyOutermost(message),
      `The message is nested deeper than ${Nesting.deepest} levels`
    )

  const noise = ({ number, text }: Line): Effect.Effect<void> => {
    if (text.trim() === "") return Effect.void
    report({ _tag: "Noise", line: number, text })
    if (options.answerParseErrors === true) {
      out.fail("null", new RpcError({ code: ErrorCode.ParseError, message: "Parse error" }))
    }
    return Effect.void
  }

  const collect = (text: string, steps: Array<Step>) => {
    lines += 1
    const number = lines
    let message: unknown
    try {
      message = JSON.parse(text)
    } catch {
      steps.push({ _tag: "Noise", line: { text, message: undefined, number } })
      return
    }
    if (Nesting.isTooDeep(text)) {
      steps.push({ _tag: "Deep", line: { text, message: undefined, number }, message })
      return
    }
    const incoming = classify(message, text, number)
    if (incoming._tag === "Notification") batch(incoming, text, message, steps)
    else if (incoming._tag === "Noise") steps.push({ _tag: "Noise", line: { text, message, number } })
    else steps.push({ _tag: "Message", incoming, line: { text, message, number } })
  }

  const batch = (notification: Notification, text: string, message: unknown, steps: Array<Step>) => {
    let last = steps[steps.length - 1]
    if (last?._tag !== "Batch") {
      // Nothing comes before the first step: its lines are shown at once, and not kept.
      last = { _tag: "Batch", notifications: [], lines: tap === undefined || steps.length === 0 ? undefined : [] }
      steps.push(last)
    }
    last.notifications.push(notification)
    if (last.lines !== undefined) last.lines.push({ text, message, number: notification.line })
    else tap?.onLine("in", text, message, notification.line)
  }

  let heads: Array<string> = []
  const { maxLineBytes = LineSplitter.defaultMaxLineBytes } = options
  const splitter = LineSplitter.make({ maxLineBytes, onOversized: (head) => heads.push(head) })

  const dispatch = (chunks: ReadonlyArray<Uint8Array | string>): Effect.Effect<void, never, R> => {
    const steps: Array<Step> = []
    for (const chunk of chunks) {
      if (typeof chunk !== "string") for (const text of splitter.push(chunk)) collect(text, steps)
      else if (chunk.length <= maxLineBytes) collect(chunk, steps)
      else heads.push(chunk.slice(0, LineSplitter.headBytes))
    }
    for (const head of heads) steps.push({ _tag: "Oversized", head })
    heads = []
    const first = steps[0]
    if (first === undefined) return Effect.void
    return steps.length === 1 ? handle(first) : Effect.forEach(steps, handle, { discard: true })
  }

  const reader = yield* Stream.runForEachArray(transport.input, (chunks) =>
    Effect.suspend(() => dispatch(chunks))
  ).pipe(
    Effect.andThen(Effect.suspend(() => dispatch(splitter.end()))),
    Effect.exit,
    Effect.flatMap((exit) => {
      const error = Exit.isSuccess(exit)
        ? new ConnectionClosed({ reason: "InputEnded", message: "The other side closed the connection" })
        : broken("ReadFailed", exit.cause)
      const requestsDone =
        finishRequestsWithin === undefined
          ? Effect.void
          : Effect.timeoutOption(FiberSet.awaitEmpty(requests), finishRequestsWithin)
      return failCalls(error).pipe(
        Effect.andThen(requestsDone),
        Effect.andThen(finish(error)),
        Effect.andThen(FiberSet.clear(requests))
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
