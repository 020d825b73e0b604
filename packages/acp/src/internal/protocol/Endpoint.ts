/** What both roles have in common: typed requests going out, typed answers to those that come in. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import { MalformedResult, type RequestFailure } from "./AcpError.ts"
import { type CallFailure, type Issue as RpcIssue, type Notification, type Request, RpcError } from "../rpc/JsonRpc.ts"
import type { JsonRpcPeer } from "../rpc/JsonRpcPeer.ts"
import * as Lenient from "../schema/Lenient.ts"

/** Something survived: a malformed line, or parts left out of a message that was otherwise understood. */
export type Issue =
  | RpcIssue
  | {
      readonly _tag: "Dropped"
      readonly method: string
      /** The number of the message on the wire; absent for a result that came with no line of its own. */
      readonly line: number | undefined
      readonly dropped: ReadonlyArray<Lenient.Dropped>
    }
  | { readonly _tag: "MalformedNotification"; readonly method: string; readonly line: number; readonly reason: string }

export type OnIssue = ((issue: Issue) => void) | undefined

export interface RequestOptions<A> {
  /**
   * Runs exactly at the response: after every message before it, before anything after it, and before the caller goes
   * on. `line` is the number of the response on the wire, absent when the connection closed instead.
   */
  readonly onResponse?: (exit: Exit.Exit<A, RequestFailure>, line: number | undefined) => Effect.Effect<void>
}

/** A request: its parameters as the protocol has them, its decoded result. */
export type Method<Params, A> = (params: Params, options?: RequestOptions<A>) => Effect.Effect<A, RequestFailure>

/** Answers a request. `request` has its id, its raw parameters and its line. */
export type Handler<Params, A, R> = (params: Params, request: Request) => Effect.Effect<A, RpcError, R>

/** What an error that was answered comes to: mostly itself. */
export type OnError<A> = (error: RpcError) => Exit.Exit<A, RequestFailure>

/** A request to send, and how its response is read. */
export interface Call<A> {
  readonly method: string
  readonly params: unknown
  readonly read: Lenient.Reader<A>
  readonly onIssue: OnIssue
  readonly options?: RequestOptions<A> | undefined
  /** Default: the error is the failure. */
  readonly onError?: OnError<A> | undefined
}

/** Sends a request and decodes its result, for `onResponse` and for the caller alike. */
export const request = <A>(
  peer: JsonRpcPeer,
  { method, onError = Exit.fail, onIssue, options, params, read }: Call<A>
): Effect.Effect<A, RequestFailure> =>
  Effect.suspend(() => {
    const decoded = (result: unknown, line: number | undefined): Exit.Exit<A, RequestFailure> => {
      // Null is answered where the protocol has an object without required fields.
      const reading = read(result ?? {})
      if (Result.isFailure(reading)) {
        return Exit.fail(new MalformedResult({ method, message: reading.failure, result }))
      }
      const { dropped, value } = reading.success
      if (dropped.length > 0) onIssue?.({ _tag: "Dropped", method, line, dropped })
      return Exit.succeed(value)
    }
    const settled = (exit: Exit.Exit<unknown, CallFailure>, line: number | undefined) => {
      if (Exit.isSuccess(exit)) return decoded(exit.value, line)
      const error = Option.getOrUndefined(Exit.findErrorOption(exit))
      return error instanceof RpcError ? onError(error) : Exit.failCause(exit.cause)
    }
    let outcome: Exit.Exit<A, RequestFailure> | undefined
    const call = peer.call(method, params, {
      cancelOnInterrupt: method !== "session/prompt",
      onResponse: (exit, line) => {
        outcome = settled(exit, line)
        return options?.onResponse?.(outcome, line) ?? Effect.void
      }
    })
    return Effect.flatMap(Effect.exit(call), (exit) => outcome ?? settled(exit, undefined))
  })

/** The requests that one side answers, by method. */
export interface Answers<R> {
  /** Adds a method; without a handler it stays unknown. */
  readonly serve: <Params, A>(
    method: string,
    params: Schema.Codec<Params, unknown>,
    handler: Handler<Params, A, R> | undefined
  ) => void
  readonly get: (method: string) => ((request: Request) => Effect.Effect<unknown, RpcError, R>) | undefined
}

export const answers = <R>(onIssue: OnIssue): Answers<R> => {
  const table = new Map<string, (request: Request) => Effect.Effect<unknown, RpcError, R>>()
  return {
    serve: (method, schema, handler) => {
      if (handler === undefined) return
      const read = Lenient.reader(schema)
      table.set(method, (request) => {
        // Parameters may be omitted where all of them are optional.
        const params = read(request.params ?? {})
        if (Result.isFailure(params)) return Effect.fail(RpcError.invalidParams(params.failure))
        const { dropped, value } = params.success
        if (dropped.length > 0) onIssue?.({ _tag: "Dropped", method, line: request.line, dropped })
        return handler(value, request)
      })
    },
    get: (method) => table.get(method)
  }
}

/** Reads a notification and hands it to its handler; a malformed one is reported. */
export const receive = <Params, R>(
  onIssue: OnIssue,
  { line, method, params }: Notification,
  read: Lenient.Reader<Params>,
  handler: ((params: Params) => Effect.Effect<void, never, R>) | undefined
): Effect.Effect<void, never, R> => {
  if (handler === undefined) return Effect.void
  const reading = read(params)
  if (Result.isSuccess(reading)) return handler(reading.success.value)
  return Effect.sync(() => onIssue?.({ _tag: "MalformedNotification", method, line, reason: reading.failure }))
}
