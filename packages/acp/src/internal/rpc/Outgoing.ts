/** Messages on their way out, as lines. */
import * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"
import { ErrorCode, RpcError } from "./JsonRpc.ts"

export interface Outgoing {
  /** A request, or without `id` a notification. */
  readonly send: (message: { readonly id?: number; readonly method: string; readonly params: unknown }) => void
  /** Answers with what a handler came to: its result, its error, or what became of it. */
  readonly answer: (idText: string, method: string, exit: Exit.Exit<unknown, RpcError>) => void
  readonly fail: (idText: string, error: RpcError) => void
}

/** What a failed cause has to say, in one line. */
export const messageOf = (cause: Cause.Cause<unknown>): string => {
  const error = Cause.squash(cause)
  return error instanceof Error ? error.message : String(error)
}

/**
 * @param write takes a line, and on demand the message in it
 * @param onDefect hears of handlers that threw, or whose answer is no JSON
 */
export const make = (
  write: (line: string, message: () => unknown) => void,
  onDefect: (method: string, message: string) => void
): Outgoing => {
  /** The id goes out as it came in, so that the line is put together around it. */
  const respond = (idText: string, body: string) => {
    const line = `{"jsonrpc":"2.0","id":${idText},${body}}`
    write(line, () => JSON.parse(line))
  }

  const fail: Outgoing["fail"] = (idText, { code, data, message }) =>
    respond(idText, `"error":${JSON.stringify({ code, message, data })}`)

  const answer: Outgoing["answer"] = (idText, method, exit) => {
    try {
      if (Exit.isSuccess(exit)) return respond(idText, `"result":${JSON.stringify(exit.value ?? null)}`)
      const failure = exit.cause.reasons.find((reason) => reason._tag === "Fail")
      if (failure !== undefined) return fail(idText, failure.error)
    } catch (error) {
      // A result or an error's data that is no JSON (a cycle, a bigint) is a defect of the handler like any other.
      return answer(idText, method, Exit.die(error))
    }
    if (Cause.hasInterruptsOnly(exit.cause)) {
      return fail(idText, new RpcError({ code: ErrorCode.RequestCancelled, message: "Request cancelled" }))
    }
    const message = messageOf(exit.cause)
    onDefect(method, message)
    fail(idText, RpcError.internal(`Internal error: ${message}`))
  }

  return {
    send: (message) => {
      const whole = { jsonrpc: "2.0", ...message }
      write(JSON.stringify(whole), () => whole)
    },
    answer,
    fail
  }
}
