/** Reads the body of a POST: one message of JSON-RPC. */
import { ErrorCode } from "@signalbox/acp/JsonRpc"
import * as RawMessage from "@signalbox/acp/RawMessage"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpReply from "./HttpReply.ts"
import * as Wire from "./Wire.ts"

type Response = HttpServerResponse.HttpServerResponse

/** Longest body, in bytes. */
const maxBodyBytes = 1024 * 1024

/** What is left of the body is not read, so the connection can't go on. */
const tooLarge = HttpReply.json(413, Wire.problem(ErrorCode.InvalidRequest, "The body is longer than 1 MiB"), {
  connection: "close"
})

const accepts = (accept: string | undefined, type: string): boolean => {
  const [group] = type.split("/")
  return (accept ?? "")
    .toLowerCase()
    .split(",")
    .map((item) => item.split(";").map((part) => part.trim()))
    .some(
      ([media = "", ...parameters]) =>
        (media === type || media === `${group}/*` || media === "*/*") &&
        !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter))
    )
}

/** Why the headers of a POST can't be served; undefined if they can. */
export const refusal = (headers: HttpServerRequest.HttpServerRequest["headers"]): Response | undefined => {
  const { accept } = headers
  if (!accepts(accept, "application/json") || !accepts(accept, "text/event-stream"))
    return HttpReply.json(
      406,
      Wire.problem(ErrorCode.InvalidRequest, "Accept has to name application/json and text/event-stream")
    )
  if (headers["content-type"]?.split(";")[0]?.trim().toLowerCase() !== "application/json")
    return HttpReply.json(415, Wire.problem(ErrorCode.InvalidRequest, "The body has to be application/json"))
  return undefined
}

/** Why a GET can't be served; undefined if it can. */
export const streamRefusal = (accept: string | undefined): Response | undefined =>
  accepts(accept, "text/event-stream")
    ? undefined
    : HttpReply.json(406, Wire.problem(ErrorCode.InvalidRequest, "Accept has to name text/event-stream"))

/** The message in a body, or the answer to a body without one. */
export const read = (
  request: HttpServerRequest.HttpServerRequest
): Effect.Effect<Result.Result<RawMessage.RawMessage, Response>> => {
  if (Number(request.headers["content-length"] ?? 0) > maxBodyBytes) return Effect.succeed(Result.fail(tooLarge))
  const parts: Array<Uint8Array> = []
  let length = 0
  return request.stream.pipe(
    Stream.runForEachWhile((part) =>
      Effect.sync(() => {
        parts.push(part)
        length += part.length
        return length <= maxBodyBytes
      })
    ),
    Effect.map(() =>
      length > maxBodyBytes ? Result.fail(tooLarge) : messageIn(Buffer.concat(parts).toString("utf8"))
    ),
    // Who leaves before the body is there gets no answer anyway.
    Effect.catch(() => Effect.succeed(Result.fail(unreadable)))
  )
}

const unreadable = HttpReply.json(400, Wire.problem(ErrorCode.ParseError, "The body is no message"))

const messageIn = (text: string): Result.Result<RawMessage.RawMessage, Response> => {
  const message = RawMessage.read(text)
  if (message._tag !== "Unreadable") return Result.succeed(message)
  const { answer } = message
  if (answer === undefined) return Result.fail(unreadable)
  const { error, id } = answer
  return Result.fail(
    HttpReply.json(400, RawMessage.write({ _tag: "Response", id, answer: RawMessage.failed(error) }, "proxy"))
  )
}
