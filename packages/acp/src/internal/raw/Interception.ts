/** Runs the code of a proxy's author on single messages: decoded for it, and put back on the wire as text. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { ErrorCode, RpcError } from "../rpc/JsonRpc.ts"
import * as Outgoing from "../rpc/Outgoing.ts"
import * as Lenient from "../schema/Lenient.ts"
import type { Sent, Settled } from "./RawConnection.ts"
import * as RawMessage from "./RawMessage.ts"

/**
 * Passes a message on. Without an argument, or with the value that came, its text goes on unchanged. Any other value is written as JSON:
 * then numbers beyond 2^53 are rounded.
 */
export type Forward<Params, Result, E = never> = (params?: Params) => Effect.Effect<Result, E>

/**
 * Answers a request in the place of whom it was for. `forward` passes it on, and returns the answer. To answer with the value that
 * `forward` returned is to pass on the text of that answer unchanged.
 */
export type RequestInterceptor<Params, Result, R = never> = (
  params: Params,
  forward: Forward<Params, Result, RpcError>
) => Effect.Effect<Result, RpcError, R>

/** Takes a notification. It goes on only if `forward` runs. What comes behind it waits, so that it must not wait for the other side. */
export type NotificationInterceptor<Params, R = never> = (
  params: Params,
  forward: Forward<Params, void>
) => Effect.Effect<void, never, R>

/** Sends a request on; the text of its parameters may be another one. */
export type Send = (params: string | undefined, settle: (settled: Settled) => void) => Sent

/** How to read a value, so that what the schema does not know stays in it. */
type Read<A> = (value: unknown) => Result.Result<A, string>

const reading = <A>(schema: Schema.Codec<A, unknown>): Read<A> => {
  const is = Schema.is(schema)
  const lenient = Lenient.reader(schema)
  return (value) => (is(value) ? Result.succeed(value) : Result.map(lenient(value), (read) => read.value))
}

/** Values that were read, with the text that they were read from. */
const makeTexts = () => {
  const texts = new WeakMap<object, string>()
  return {
    read: <A>(text: string | undefined, read: Read<A>): Result.Result<A, string> => {
      const result = read(text === undefined ? {} : JSON.parse(text))
      if (text !== undefined && Result.isSuccess(result) && Predicate.isObject(result.success))
        texts.set(result.success, text)
      return result
    },
    textOf: (value: unknown): string =>
      (Predicate.isObject(value) ? texts.get(value) : undefined) ?? JSON.stringify(value ?? null)
  }
}

const rpcError = (text: string): RpcError => {
  const error: unknown = JSON.parse(text)
  const { code, data, message } = Predicate.isObject(error) ? error : {}
  return new RpcError({
    code: typeof code === "number" ? code : ErrorCode.InternalError,
    message: typeof message === "string" ? message : `Malformed error: ${text}`,
    ...(data === undefined ? {} : { data })
  })
}

/** Sends a request of one's own, and returns its result as parsed JSON. */
export const call = (send: Send, params: unknown): Effect.Effect<unknown, RpcError> =>
  Effect.callback((resume) => {
    const sent = send(params === undefined ? undefined : JSON.stringify(params), (settled) => {
      if ("result" in settled) return resume(Effect.succeed(JSON.parse(settled.result)))
      resume(Effect.fail("error" in settled ? rpcError(settled.error) : RpcError.internal(settled.closed.message)))
    })
    return Effect.sync(sent.cancel)
  })

/** A request on its way through an interceptor. */
export interface Intercepted<R> {
  /** Runs the interceptor. */
  readonly run: Effect.Effect<unknown, RpcError, R>
  /** The answer to give for what the interceptor came to. */
  readonly answerOf: (exit: Exit.Exit<unknown, RpcError>) => RawMessage.RawAnswer
  /** Cancels what was passed on; false if nothing is under way. */
  readonly cancel: () => boolean
}

/** Makes a request's interceptor work on raw messages. */
export const request = <Params, A, R>(
  schemas: { readonly params: Schema.Codec<Params, unknown>; readonly result: Schema.Codec<A, unknown> },
  interceptor: RequestInterceptor<Params, A, R>
): ((paramsText: string | undefined, send: Send) => Intercepted<R>) => {
  const readParams = reading(schemas.params)
  const readResult = reading(schemas.result)
  return (paramsText, send) => {
    const texts = makeTexts()
    const errors = new WeakMap<RpcError, string>()
    const underWay = new Set<() => void>()

    const passOn = (text: string | undefined): Effect.Effect<A, RpcError> =>
      Effect.callback((resume) => {
        let isSettled = false
        const cancel = () => sent?.cancel()
        const settle = (settled: Settled) => {
          isSettled = true
          underWay.delete(cancel)
          resume(outcome(settled))
        }
        let sent: Sent | undefined
        sent = send(text, settle)
        // A connection that is over settles at once.
        if (!isSettled) underWay.add(cancel)
        return Effect.sync(cancel)
      })

    const outcome = (settled: Settled): Effect.Effect<A, RpcError> => {
      if ("closed" in settled) return Effect.fail(RpcError.internal(settled.closed.message))
      if ("error" in settled) {
        const error = rpcError(settled.error)
        errors.set(error, settled.error)
        return Effect.fail(error)
      }
      const result = texts.read(settled.result, readResult)
      return Result.isSuccess(result)
        ? Effect.succeed(result.success)
        : Effect.fail(RpcError.internal(`Malformed result: ${result.failure}`))
    }

    const run = Effect.suspend(() => {
      const params = texts.read(paramsText, readParams)
      if (Result.isFailure(params)) return Effect.fail(RpcError.invalidParams(params.failure))
      return interceptor(params.success, (changed) =>
        passOn(changed === undefined ? paramsText : texts.textOf(changed))
      )
    })

    const answerOf = (exit: Exit.Exit<unknown, RpcError>): RawMessage.RawAnswer => {
      if (Exit.isSuccess(exit)) return { result: texts.textOf(exit.value) }
      const failure = exit.cause.reasons.find((reason) => reason._tag === "Fail")
      if (failure !== undefined) return { error: errors.get(failure.error) ?? RawMessage.errorText(failure.error) }
      if (Cause.hasInterruptsOnly(exit.cause))
        return RawMessage.failed({ code: ErrorCode.RequestCancelled, message: "Request cancelled" })
      return RawMessage.failed(RpcError.internal(`Internal error: ${Outgoing.messageOf(exit.cause)}`))
    }

    return {
      run,
      answerOf,
      cancel: () => {
        for (const cancel of underWay) cancel()
        return underWay.size > 0
      }
    }
  }
}

/** Makes a notification's interceptor work on raw messages. One that the schema can't read goes on as it came. */
export const notification = <Params, R>(
  schema: Schema.Codec<Params, unknown>,
  interceptor: NotificationInterceptor<Params, R>
): ((paramsText: string | undefined, send: (params: string | undefined) => void) => Effect.Effect<void, never, R>) => {
  const read = reading(schema)
  return (paramsText, send) => {
    const texts = makeTexts()
    const params = texts.read(paramsText, read)
    if (Result.isFailure(params)) return Effect.sync(() => send(paramsText))
    return interceptor(params.success, (changed) =>
      Effect.sync(() => send(changed === undefined ? paramsText : texts.textOf(changed)))
    )
  }
}
