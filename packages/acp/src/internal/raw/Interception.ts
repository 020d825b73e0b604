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
 * then numbers beyond 2^53 are rounded. A change is made to a copy.
 */
export type Forward<Params, Result, E = never> = (params?: Params) => Effect.Effect<Result, E>

/**
 * Answers a request in the place of whom it was for. `forward` passes it on, and returns the answer. To answer with the value that
 * `forward` returned is to pass on the text of that answer unchanged; to fail with its error, too.
 *
 * Runs in a fiber of its own: what comes behind the request does not wait. A cancellation of the request cancels what was passed on.
 * While nothing is, it interrupts the fiber. Afterwards `forward` fails.
 */
export type RequestInterceptor<Params, Result, R = never> = (
  params: Params,
  forward: Forward<Params, Result, RpcError>
) => Effect.Effect<Result, RpcError, R>

/**
 * Takes a notification, which is passed on only if `forward` runs. Everything that comes behind it waits meanwhile, answers too: it must
 * not wait for a request of its own.
 */
export type NotificationInterceptor<Params, R = never> = (
  params: Params,
  forward: Forward<Params, void>
) => Effect.Effect<void, never, R>

/** Sends a request on; the text of its parameters may be another one. */
export type Send = (params: string | undefined, settle: (settled: Settled) => void) => Sent

/**
 * Whether the connection speaks a version that the schemas are not about. Then a value that they can't read in full is passed on, unread
 * and unchanged. In their own version it is read without its malformed parts, or refused.
 */
export type IsForeign = () => boolean

/** Reads a value, and keeps in it what the schema does not know. */
type Read<A> = (value: unknown) => Result.Result<A, string>

const reading = <A>(schema: Schema.Codec<A, unknown>, isForeign: IsForeign): Read<A> => {
  const lenient = Lenient.keepingUnknown(schema)
  return (value) =>
    Result.flatMap(lenient(value), (read) =>
      read.dropped.length > 0 && isForeign() ? Result.fail("Of another version") : Result.succeed(read.value)
    )
}

/** Values that were read, with the text that they were read from. */
const makeTexts = (parse: Parse = JSON.parse) => {
  const texts = new Map<unknown, string>()
  return {
    read: <A>(text: string | undefined, read: Read<A>): Result.Result<A, string> => {
      const value = text === undefined ? undefined : parse(text)
      // An object without members may be absent, or null.
      const result = Result.orElse(read(value), (failure) =>
        (value ?? null) === null ? read({}) : Result.fail(failure)
      )
      if (text !== undefined && Result.isSuccess(result)) texts.set(result.success, text)
      return result
    },
    textOf: (value: unknown): string => texts.get(value) ?? JSON.stringify(value ?? null)
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

/** Reads JSON text: `JSON.parse`, or another reading of numbers. */
export type Parse = (text: string) => unknown

/** Sends a request of one's own, and returns its result as parsed JSON. */
export const call = (send: Send, params: unknown, parse: Parse = JSON.parse): Effect.Effect<unknown, RpcError> =>
  Effect.callback((resume) => {
    const sent = send(params === undefined ? undefined : JSON.stringify(params), (settled) => {
      if ("result" in settled) return resume(Effect.succeed(parse(settled.result)))
      resume(Effect.fail("error" in settled ? rpcError(settled.error) : RpcError.internal(settled.closed.message)))
    })
    return Effect.sync(sent.cancel)
  })

const cancelled = { code: ErrorCode.RequestCancelled, message: "Request cancelled" }

/** What an interceptor threw, in one line; undefined if it threw nothing. */
export const defectOf = (exit: Exit.Exit<unknown, unknown>): string | undefined =>
  Exit.isFailure(exit) && Cause.hasDies(exit.cause) ? Outgoing.messageOf(exit.cause) : undefined

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
  interceptor: RequestInterceptor<Params, A, R>,
  isForeign: IsForeign
): ((paramsText: string | undefined, send: Send) => Intercepted<R>) => {
  const readParams = reading(schemas.params, isForeign)
  const readResult = reading(schemas.result, isForeign)
  return (paramsText, send) => {
    const texts = makeTexts()
    /** The errors of `forward`, with the answer that each stands for. */
    const answers = new WeakMap<RpcError, RawMessage.RawAnswer>()
    const underWay = new Set<() => void>()
    let isCancelled = false

    const passOn = (text: string | undefined): Effect.Effect<A, RpcError> =>
      Effect.callback((resume) => {
        // The client knows of one request only: what it has cancelled must not begin again.
        if (isCancelled) return resume(Effect.fail(new RpcError(cancelled)))
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
        return Effect.sync(() => {
          underWay.delete(cancel)
          cancel()
        })
      })

    const outcome = (settled: Settled): Effect.Effect<A, RpcError> => {
      if ("closed" in settled) return Effect.fail(RpcError.internal(settled.closed.message))
      if ("error" in settled) return failing(rpcError(settled.error), settled)
      const result = texts.read(settled.result, readResult)
      if (Result.isSuccess(result)) return Effect.succeed(result.success)
      const error = RpcError.internal(`Malformed result: ${result.failure}`)
      return isForeign() ? failing(error, settled) : Effect.fail(error)
    }

    const failing = (error: RpcError, answer: RawMessage.RawAnswer) => {
      answers.set(error, answer)
      return Effect.fail(error)
    }

    const run = Effect.suspend(() => {
      const params = texts.read(paramsText, readParams)
      if (Result.isFailure(params))
        return isForeign() ? passOn(paramsText) : Effect.fail(RpcError.invalidParams(params.failure))
      return interceptor(params.success, (changed) =>
        passOn(changed === undefined ? paramsText : texts.textOf(changed))
      )
    })

    const textOf = (exit: Exit.Exit<unknown, RpcError>): RawMessage.RawAnswer => {
      if (Exit.isSuccess(exit)) return { result: texts.textOf(exit.value) }
      const failure = exit.cause.reasons.find((reason) => reason._tag === "Fail")
      if (failure !== undefined) return answers.get(failure.error) ?? RawMessage.failed(failure.error)
      if (Cause.hasInterruptsOnly(exit.cause)) return RawMessage.failed(cancelled)
      return RawMessage.failed(RpcError.internal(`Internal error: ${Outgoing.messageOf(exit.cause)}`))
    }

    const answerOf = (exit: Exit.Exit<unknown, RpcError>): RawMessage.RawAnswer => {
      try {
        return textOf(exit)
      } catch (error) {
        // A value that is no JSON, or nested too deep for it.
        return RawMessage.failed(RpcError.internal(`Internal error: ${String(error)}`))
      }
    }

    return {
      run,
      answerOf,
      cancel: () => {
        isCancelled = true
        for (const cancel of underWay) cancel()
        return underWay.size > 0
      }
    }
  }
}

/** Makes a notification's interceptor work on raw messages. A notification that the schema can't read is passed on as it came. */
export const notification = <Params, R>(
  schema: Schema.Codec<Params, unknown>,
  interceptor: NotificationInterceptor<Params, R>,
  isForeign: IsForeign,
  parse?: Parse
): ((paramsText: string | undefined, send: (params: string | undefined) => void) => Effect.Effect<void, never, R>) => {
  const read = reading(schema, isForeign)
  return (paramsText, send) => {
    const texts = makeTexts(parse)
    const params = texts.read(paramsText, read)
    if (Result.isFailure(params)) return Effect.sync(() => send(paramsText))
    return interceptor(params.success, (changed) =>
      Effect.sync(() => send(changed === undefined ? paramsText : texts.textOf(changed)))
    )
  }
}
