/**
 * An agent behind streamable HTTP: messages are posted one after the other. Responses and the agent's own messages come
 * by event streams: one for the connection, and one for each session (ACP, streamable HTTP and WebSocket transport).
 *
 * **Failures.** A session whose stream or message is refused with 409 fails alone, until it is loaded or resumed. 401,
 * 403, 404, 410 and a broken network end the connection. Any refusal of a message that nobody waits for does so, too.
 * Other refusals answer their request, with `data: { status, body }`.
 *
 * **Order.** Streams are not ordered among each other, and a server answers `session/load` by the stream of the
 * connection. That response is held back until the session's stream has delivered everything before it; see {@link
 * fenceMethod}.
 */
import type * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberMap from "effect/FiberMap"
import * as FiberSet from "effect/FiberSet"
import type * as HttpClient from "effect/http/HttpClient"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import * as Sink from "effect/Sink"
import * as Stream from "effect/Stream"
import { ErrorCode } from "./JsonRpc.ts"
import * as LineSplitter from "./LineSplitter.ts"
import { type RemoteTransport, TransportError } from "./Transport.ts"
import * as Envelope from "./internal/transport/Envelope.ts"
import * as EventStream from "./internal/transport/EventStream.ts"
import * as HttpExchange from "./internal/transport/HttpExchange.ts"

export type { Options } from "./internal/transport/HttpExchange.ts"

/**
 * A request that no agent knows, sent into a session whose history is arriving. The agent's refusal comes by the
 * session's stream, after the history.
 */
export const fenceMethod = "_signalbox/fence"

/** Time to wait for the answer to a fence, since an agent may ignore unknown requests. */
const fenceWithin = "2 seconds"

/** Most received messages before the streams must wait. */
const capacity = 1024

/**
 * Whether a message is an ordinary update: most messages are, and they have no id and begin no session. These words
 * can't occur in a text, where their quotes would be escaped.
 */
const isMereUpdate = (message: string): boolean =>
  says(message, '"method":"session', '/update"') && !says(message, '"subagent', '_update"')

/**
 * Searches for the second half, since it begins with a rare character. Quotes are frequent, and each would be tried.
 */
const says = (message: string, first: string, second: string): boolean => {
  for (let at = message.indexOf(second); at !== -1; at = message.indexOf(second, at + 1)) {
    if (message.startsWith(first, at - first.length)) return true
  }
  return false
}

const reattaching: ReadonlySet<string> = new Set(["session/load", "session/resume"])
const detaching: ReadonlySet<string> = new Set(["session/close", "session/delete", "session/archive"])

/** An unanswered request of a session. */
interface Waiting {
  readonly sessionId: string
  readonly method: string
}

/**
 * Connects. Nothing is sent before the first message, which must be `initialize`. The connection ends with the scope.
 */
export const make = Effect.fn("HttpTransport.make")(function* (
  options: HttpExchange.Options
): Effect.fn.Return<RemoteTransport, never, HttpClient.HttpClient | Scope.Scope> {
  const exchange = yield* HttpExchange.make(options)
  const inbox = yield* Queue.bounded<string, TransportError | Cause.Done>(capacity)
  /** The readers of the streams. The connection's stream has no name. */
  const listeners = yield* FiberMap.make<string | undefined>()
  const errands = yield* FiberSet.make()
  const runErrand = yield* FiberSet.runtime(errands)()

  const sessions = new Map<string, Deferred.Deferred<void, TransportError>>()
  const conflicts = new Map<string, TransportError>()
  const waiting = new Map<string, Waiting>()
  /** The session of each request of the agent, by the request's id. */
  const asked = new Map<string, string>()
  /** Responses held behind a fence, by the fence's id. */
  const held = new Map<string, string>()
  let fences = 0
  let over = false

  // ---------------------------------------------------------------- in

  const put = (messages: ReadonlyArray<string>) =>
    messages.length === 0 ? Effect.void : Effect.asVoid(Queue.offerAll(inbox, messages))

  const finish = (error: TransportError | undefined) =>
    Effect.suspend(() => {
      if (over) return Effect.void
      over = true
      const told = error === undefined ? Queue.end(inbox) : Queue.fail(inbox, error)
      // The listeners are cleared last, since one of them may run this.
      return Effect.map(told, () => void runErrand(FiberMap.clear(listeners)))
    })

  /** Passes on the messages of a stream, and applies their effects on other streams. */
  const deliver = (messages: ReadonlyArray<string>, stream: string | undefined) => {
    if (messages.every(isMereUpdate)) return put(messages)
    return Effect.suspend(() => {
      const passing: Array<string> = []
      const following: Array<Effect.Effect<void>> = []
      for (const message of messages) {
        const envelope = isMereUpdate(message) ? undefined : Envelope.read(message)
        if (envelope?._tag === "Response") answered(envelope, message, stream, passing, following)
        else {
          if (envelope?._tag === "Request" && stream !== undefined) asked.set(envelope.id, stream)
          // A sub-agent has a stream of its own.
          if (envelope?._tag === "Notification" && envelope.childId !== undefined) {
            following.push(Effect.ignore(attend(envelope.childId)))
          }
          passing.push(message)
        }
      }
      return Effect.map(put(passing), () => following.forEach((effect) => runErrand(effect)))
    })
  }

  const answered = (
    { id, sessionId }: Extract<Envelope.Envelope, { readonly _tag: "Response" }>,
    message: string,
    stream: string | undefined,
    passing: Array<string>,
    following: Array<Effect.Effect<void>>
  ) => {
    const behind = held.get(id)
    if (behind !== undefined) {
      held.delete(id)
      passing.push(behind)
      return
    }
    const request = waiting.get(id)
    waiting.delete(id)
    if (sessionId !== undefined) following.push(Effect.ignore(attend(sessionId)))
    if (request === undefined) passing.push(message)
    else if (stream === undefined && reattaching.has(request.method) && sessions.has(request.sessionId)) {
      following.push(fenced(request.sessionId, message))
    } else {
      passing.push(message)
      if (detaching.has(request.method)) following.push(detach(request.sessionId))
    }
  }

  const fenced = (sessionId: string, message: string) =>
    Effect.suspend(() => {
      fences += 1
      const id = JSON.stringify(`fence-${fences}`)
      held.set(id, message)
      const fence = `{"jsonrpc":"2.0","id":${id},"method":"${fenceMethod}","params":${JSON.stringify({ sessionId })}}`
      return exchange
        .post(fence, sessionId)
        .pipe(
          Effect.andThen(Effect.sleep(fenceWithin)),
          Effect.exit,
          Effect.andThen(Effect.suspend(() => (held.delete(id) ? put([message]) : Effect.void)))
        )
    })

  // ---------------------------------------------------------------- streams

  const listen = (stream: string | undefined, opened: Deferred.Deferred<void, TransportError>) =>
    exchange.listen(stream).pipe(
      Effect.flatMap((bytes) => {
        Deferred.doneUnsafe(opened, Exit.void)
        const events = EventStream.make(options.maxMessageBytes ?? LineSplitter.defaultMaxLineBytes)
        return Stream.runForEachArray(bytes, (chunks) =>
          Effect.flatMap(Effect.fromResult(events(chunks)), (messages) => deliver(messages, stream))
        )
      }),
      Effect.matchEffect({
        onSuccess: () => (stream === undefined ? finish(undefined) : dropped(stream)),
        onFailure: (error) => {
          Deferred.doneUnsafe(opened, Exit.fail(error))
          return stream !== undefined && error.status === 409 ? conflicted(stream, error) : finish(error)
        }
      })
    )

  /** Completes when the session's stream is open. */
  const attend = (sessionId: string): Effect.Effect<void, TransportError> =>
    Effect.suspend(() => {
      const conflict = conflicts.get(sessionId)
      if (conflict !== undefined) return Effect.fail(conflict)
      const there = sessions.get(sessionId)
      if (there !== undefined) return Deferred.await(there)
      const opened = Deferred.makeUnsafe<void, TransportError>()
      sessions.set(sessionId, opened)
      return Effect.andThen(FiberMap.run(listeners, sessionId, listen(sessionId, opened)), Deferred.await(opened))
    })

  const detach = (sessionId: string) =>
    Effect.suspend(() => {
      sessions.delete(sessionId)
      return FiberMap.remove(listeners, sessionId)
    })

  /**
   * Handles a session's stream that the server has closed. The next message opens it again, and waiting requests are
   * lost.
   */
  const dropped = (sessionId: string) =>
    Effect.suspend(() => {
      sessions.delete(sessionId)
      return failAll(
        sessionId,
        new TransportError({ reason: "Closed", message: "The stream of the session was closed" })
      )
    })

  const conflicted = (sessionId: string, error: TransportError) =>
    Effect.suspend(() => {
      conflicts.set(sessionId, error)
      return Effect.map(failAll(sessionId, error), () => void runErrand(detach(sessionId)))
    })

  const failAll = (sessionId: string, error: TransportError) =>
    Effect.suspend(() => {
      const ids = [...waiting].filter(([, request]) => request.sessionId === sessionId).map(([id]) => id)
      for (const id of ids) waiting.delete(id)
      return put(ids.map((id) => failure(id, error)))
    })

  // ---------------------------------------------------------------- out

  const initialize = (message: string) =>
    exchange.initialize(message).pipe(
      Effect.flatMap((answer) =>
        Envelope.read(answer)?._tag === "Response"
          ? Effect.andThen(FiberMap.run(listeners, undefined, listen(undefined, Deferred.makeUnsafe())), put([answer]))
          : Effect.fail(HttpExchange.malformed("The answer to initialize is no JSON-RPC response"))
      ),
      Effect.catch(finish)
    )

  const send = (message: string) =>
    Effect.suspend(() => {
      const envelope = Envelope.read(message)
      if (over || envelope === undefined) return Effect.void
      if (envelope._tag === "Request" && envelope.method === "initialize") return initialize(message)
      const sessionId = envelope._tag === "Response" ? asked.get(envelope.id) : envelope.sessionId
      if (envelope._tag === "Response") asked.delete(envelope.id)
      if (sessionId === undefined) return handOver(message, envelope, undefined)
      if (envelope._tag === "Request") {
        if (reattaching.has(envelope.method)) conflicts.delete(sessionId)
        waiting.set(envelope.id, { sessionId, method: envelope.method })
      }
      return handOver(message, envelope, sessionId)
    })

  const handOver = (message: string, envelope: Envelope.Envelope, sessionId: string | undefined) =>
    (sessionId === undefined ? Effect.void : attend(sessionId)).pipe(
      Effect.andThen(exchange.post(message, sessionId)),
      Effect.catch((error) => refused(envelope, sessionId, error))
    )

  const refused = (envelope: Envelope.Envelope, sessionId: string | undefined, error: TransportError) => {
    // This also answers the message if it is a request.
    if (sessionId !== undefined && error.status === 409) return conflicted(sessionId, error)
    if (envelope._tag !== "Request" || error.reason !== "Rejected") return finish(error)
    // The request may have been answered while it was refused.
    if (sessionId !== undefined && !waiting.delete(envelope.id)) return Effect.void
    return put([failure(envelope.id, error)])
  }

  const splitter = LineSplitter.make({ maxLineBytes: Infinity })
  return {
    input: Stream.fromQueue(inbox),
    // The output never fails: errors end the input.
    output: Sink.forEach((chunk: Uint8Array) => Effect.forEach(splitter.push(chunk), send, { discard: true })),
    connectionId: exchange.connectionId
  }
})

/** The response to a request that did not reach the agent. */
const failure = (id: string, { body, message, status }: TransportError): string => {
  const data = status === undefined ? undefined : { status, body }
  return `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify({ code: ErrorCode.InternalError, message, data })}}`
}
