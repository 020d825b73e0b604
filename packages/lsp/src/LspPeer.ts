/**
 * One end of a conversation between an editor and a language server: the JSON-RPC peer of `@signalbox/acp` over framed messages. It
 * cancels by `$/cancelRequest`, and keeps the order of the wire.
 */
import { type Issue, RpcError } from "@signalbox/acp/JsonRpc"
import * as JsonRpcPeer from "@signalbox/acp/JsonRpcPeer"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type * as Scope from "effect/Scope"
import * as FramedTransport from "./FramedTransport.ts"

/** The id of work whose progress is reported (`ProgressToken`). */
export type ProgressToken = string | number

/** Answers a request. `params` is what the other side sent, unread. */
export type OnRequest<R> = (params: unknown) => Effect.Effect<unknown, RpcError, R>

/** Handles a notification. Nothing after it is dispatched before this completes: it must not wait for the other side. */
export type OnNotification<R> = (params: unknown) => Effect.Effect<void, never, R>

export interface Handlers<R> {
  /** Answers by method. Other requests are answered with -32601. */
  readonly requests: Pick<ReadonlyMap<string, OnRequest<R>>, "get">
  /** Handlers by method. Other notifications are ignored, those of `$/` too. */
  readonly notifications: Pick<ReadonlyMap<string, OnNotification<R>>, "get">
  /** Looks at each request and may refuse it, e.g. before `initialize`. */
  readonly refuse?: ((method: string) => RpcError | undefined) | undefined
  readonly onIssue?: ((issue: Issue) => void) | undefined
}

export interface LspPeer extends JsonRpcPeer.JsonRpcPeer {
  /** Hears the progress of one piece of work, until the scope closes. Other progress is ignored. */
  readonly progress: (
    token: ProgressToken,
    onValue: (value: unknown) => Effect.Effect<void>
  ) => Effect.Effect<void, never, Scope.Scope>
}

export interface Options {
  /** The longest message that is accepted, in bytes. Default 64 MiB: a document of 50 MB is one message. */
  readonly maxBodyBytes?: number | undefined
  /** Sees every message in both directions. */
  readonly tap?: JsonRpcPeer.Tap | undefined
}

const defaultMaxBodyBytes = 64 * 1024 * 1024

/** How language servers and their clients cancel a request. */
const cancellation: JsonRpcPeer.Cancellation = { method: "$/cancelRequest", idMember: "id" }

/** Starts reading at once. */
export const make = Effect.fnUntraced(function* <E, R>(
  bytes: FramedTransport.Bytes<E>,
  handlersOf: (peer: JsonRpcPeer.JsonRpcPeer) => Handlers<R>,
  { maxBodyBytes = defaultMaxBodyBytes, tap }: Options = {}
): Effect.fn.Return<LspPeer, never, R | Scope.Scope> {
  const watched = new Map<ProgressToken, (value: unknown) => Effect.Effect<void>>()

  const onProgress = (params: unknown): Effect.Effect<void> => {
    if (!Predicate.isObject(params)) return Effect.void
    const { token, value } = params
    const listener = typeof token === "string" || typeof token === "number" ? watched.get(token) : undefined
    return listener === undefined ? Effect.void : listener(value)
  }

  const peer = yield* JsonRpcPeer.make(
    FramedTransport.make(bytes, { maxBodyBytes }),
    (raw): JsonRpcPeer.Handlers<R> => {
      const { notifications, onIssue, refuse, requests } = handlersOf(raw)
      return {
        onRequest: ({ method, params }) => {
          const refused = refuse?.(method)
          if (refused !== undefined) return Effect.fail(refused)
          return requests.get(method)?.(params) ?? Effect.fail(RpcError.methodNotFound(method))
        },
        onNotifications: (batch) =>
          Effect.forEach(
            batch,
            ({ method, params }) =>
              method === "$/progress" && watched.size > 0
                ? Effect.andThen(onProgress(params), notifications.get(method)?.(params) ?? Effect.void)
                : (notifications.get(method)?.(params) ?? Effect.void),
            { discard: true }
          ),
        onIssue
      }
    },
    { answerParseErrors: true, cancellation, maxLineBytes: maxBodyBytes, tap }
  )

  return {
    ...peer,
    progress: (token, onValue) =>
      Effect.asVoid(
        Effect.acquireRelease(
          Effect.sync(() => watched.set(token, onValue)),
          () => Effect.sync(() => watched.delete(token))
        )
      )
  }
})
