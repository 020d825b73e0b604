/**
 * One end of a conversation in raw messages: ids of its own, answers to whom they belong, cancellation, and the end.
 *
 * Everything is handed over synchronously and in the order of the wire. So who passes messages on keeps their order: no response
 * overtakes a notification that was sent before it.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { ConnectionClosed, RpcError } from "../rpc/JsonRpc.ts"
import type { Arrival, MessageLink } from "./MessageLink.ts"
import type { ProxyDialect } from "./ProxyDialect.ts"
import * as RawMessage from "./RawMessage.ts"

/** Something that was not as it should be, and that was survived. */
export type Issue =
  /** Not JSON, or JSON that is no message. `wasAnswered` says whether its sender got an error. */
  | { readonly _tag: "Unreadable"; readonly text: string; readonly wasAnswered: boolean }
  /** A response to nothing that is waiting. */
  | { readonly _tag: "StrayResponse"; readonly id: string }
  /** Code on this side threw. */
  | { readonly _tag: "HandlerDefect"; readonly method: string; readonly message: string }

/** Answers a request; only the first answer counts. */
export type Respond = (answer: RawMessage.RawAnswer) => void

export interface Handlers {
  /**
   * Takes a request, which `respond` answers now or later. What it returns runs when the other side cancels the request: it is still to
   * be answered then.
   */
  readonly onRequest: (request: RawMessage.RawRequest, respond: Respond) => (() => void) | void
  /** Takes a notification. What comes behind it waits for the effect, which must not wait for the other side. */
  readonly onNotification: (notification: RawMessage.RawNotification) => Effect.Effect<void> | void
  /** Runs after messages that arrived together; the next ones wait for it. It is the place to wait for the `room` of others. */
  readonly afterBatch?: Effect.Effect<void> | undefined
  readonly onIssue?: ((issue: Issue) => void) | undefined
  /** Words the error that the other side gets for what it wrote itself: a line that is no message, or a request too many. */
  readonly refusal?: ((error: RawMessage.Refusal) => RawMessage.Refusal) | undefined
}

/** A request that was sent. */
export interface Sent {
  /** Sends `$/cancel_request`, if there is no answer yet. The answer is still due. */
  readonly cancel: () => void
}

/** How a request of ours ended. `closed` if the connection was over before the answer. */
export type Settled = RawMessage.RawAnswer | { readonly closed: ConnectionClosed }

export interface RawConnection {
  /** Sends a request. `settle` runs once: at the response, before anything behind it, or at the end of the connection. */
  readonly request: (said: RawMessage.Said, settle: (settled: Settled) => void) => Sent
  readonly notify: (said: RawMessage.Said) => void
  /**
   * Hands over at once what was sent, where nothing lies between the two ends. Who passes a batch on does this behind it: then the batch goes
   * through a whole chain before the next one is read.
   */
  readonly flush: () => void
  /** Completes when little enough is under way to the other side. */
  readonly room: Effect.Effect<void>
  /** Characters under way to the other side, about. */
  readonly waiting: () => number
  readonly setDialect: (dialect: ProxyDialect) => void
  /** Ends the connection from this side: requests under way are settled, what was sent is still written. */
  readonly close: Effect.Effect<void>
  /** Whether the connection is over. It is, before what waited for answers hears of it. */
  readonly isOver: () => boolean
  /** Completes with the reason when the connection is over, and what was read has been handed over. */
  readonly closed: Effect.Effect<ConnectionClosed>
}

const closedHere = () => new ConnectionClosed({ reason: "Closed", message: "Closed by this side" })

/** Requests of the other side that may be open at once; further ones are refused, so that nobody fills the memory. */
const maxOpen = 10_000

/**
 * Begins to read at once, and ends the connection when the scope closes. `handlersOf` is called before, with a connection that can be used
 * from then on.
 */
export const make = Effect.fnUntraced(function* (
  link: MessageLink,
  handlersOf: (connection: RawConnection) => Handlers
): Effect.fn.Return<RawConnection, never, Scope.Scope> {
  const closed = yield* Deferred.make<ConnectionClosed>()
  const waiting = new Map<string, (settled: Settled) => void>()
  const open = new Map<string, () => void>()
  let openCount = 0
  let lastId = 0
  let over: ConnectionClosed | undefined

  const finish = (reason: ConnectionClosed) =>
    Effect.suspend(() => {
      over ??= reason
      const settles = [...waiting.values()]
      waiting.clear()
      for (const settle of settles) settle({ closed: over })
      return Effect.asVoid(Deferred.succeed(closed, over))
    })

  const close = Effect.suspend(() => Effect.andThen(link.end, finish(closedHere())))

  const connection: RawConnection = {
    request: (said, settle) => {
      if (over !== undefined) {
        settle({ closed: over })
        return { cancel: () => {} }
      }
      lastId += 1
      const id = String(lastId)
      waiting.set(id, settle)
      link.send({ _tag: "Request", id, side: said.side, method: said.method, params: said.params })
      return {
        cancel: () => {
          if (waiting.has(id)) link.send({ _tag: "Cancel", id })
        }
      }
    },
    notify: ({ method, params, side }) => link.send({ _tag: "Notification", side, method, params }),
    flush: () => link.flush?.(),
    room: link.room,
    waiting: link.waiting,
    setDialect: link.setDialect,
    close,
    isOver: () => over !== undefined,
    closed: Deferred.await(closed)
  }
  const handlers = handlersOf(connection)

  const respond = (id: string, answer: RawMessage.RawAnswer) => link.send({ _tag: "Response", id, answer })

  const refuse = (id: string, error: RawMessage.Refusal) =>
    respond(id, RawMessage.failed(handlers.refusal?.(error) ?? error))

  const onRequest = (request: RawMessage.RawRequest) => {
    const { id, method } = request
    if (openCount >= maxOpen) return refuse(id, RpcError.internal(`Refused: ${maxOpen} requests are open already`))
    openCount += 1
    let isAnswered = false
    const answerOnce: Respond = (answer) => {
      if (isAnswered) return
      isAnswered = true
      openCount -= 1
      open.delete(id)
      respond(id, answer)
    }
    try {
      const cancel = handlers.onRequest(request, answerOnce)
      if (cancel !== undefined && !isAnswered) open.set(id, cancel)
    } catch (error) {
      defect(method, error)
      answerOnce(RawMessage.failed(RpcError.internal("Internal error")))
    }
  }

  const onNotification = (notification: RawMessage.RawNotification): Effect.Effect<void> | void => {
    try {
      return handlers.onNotification(notification)
    } catch (error) {
      defect(notification.method, error)
    }
  }

  const defect = (method: string, error: unknown) =>
    handlers.onIssue?.({
      _tag: "HandlerDefect",
      method,
      message: error instanceof Error ? error.message : String(error)
    })

  const onResponse = ({ answer, id }: RawMessage.RawResponse) => {
    const settle = waiting.get(id)
    if (settle === undefined) return handlers.onIssue?.({ _tag: "StrayResponse", id })
    waiting.delete(id)
    settle(answer)
  }

  const onUnreadable = ({ answer, settles, text }: RawMessage.Unreadable) => {
    const isResponse = settles !== undefined && waiting.has(settles.id)
    const wasAnswered = answer !== undefined && !isResponse
    if (wasAnswered) refuse(answer.id, answer.error)
    handlers.onIssue?.({ _tag: "Unreadable", text, wasAnswered })
    if (isResponse) onResponse(settles)
  }

  const handle = (message: Arrival): Effect.Effect<void> | void => {
    switch (message._tag) {
      case "Notification":
        return onNotification(message)
      case "Request":
        return onRequest(message)
      case "Response":
        return onResponse(message)
      case "Cancel":
        return open.get(message.id)?.()
      case "Unreadable":
        return onUnreadable(message)
    }
  }

  /** Hands over what arrived, from a place on. Most messages need no effect. */
  const handleFrom = (batch: ReadonlyArray<Arrival>, from: number): Effect.Effect<void> => {
    for (let at = from; at < batch.length; at++) {
      const message = batch[at]
      // Who closes the connection gets nothing more.
      if (message === undefined || over !== undefined) break
      const effect = handle(message)
      if (effect !== undefined)
        return Effect.andThen(
          effect,
          Effect.suspend(() => handleFrom(batch, at + 1))
        )
    }
    return handlers.afterBatch ?? Effect.void
  }

  yield* Effect.addFinalizer(() => close)
  yield* link
    .receive((batch) => Effect.suspend(() => handleFrom(batch, 0)))
    .pipe(Effect.flatMap(finish), Effect.forkScoped)

  return connection
})
