/** The requests of a connection over streamable HTTP (ACP, streamable HTTP and WebSocket transport). */
import * as Effect from "effect/Effect"
import type * as Cookies from "effect/http/Cookies"
import * as HttpClient from "effect/http/HttpClient"
import type * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Ref from "effect/Ref"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { defaultMaxLineBytes } from "../rpc/LineSplitter.ts"
import { TransportError } from "../rpc/Transport.ts"

export interface Options {
  /** `http:` or `https:`. */
  readonly url: string
  /** Sent with every request, usually credentials. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The longest message that is read, in bytes. Default: 32 MiB. */
  readonly maxMessageBytes?: number | undefined
}

/** Every failure to get a 2xx response is a `TransportError`. One with a status came from the server. */
export interface HttpExchange {
  /** Begins a connection: sends `initialize` and returns its response. */
  readonly initialize: (message: string) => Effect.Effect<string, TransportError>
  /** Sends any other message. Its response, if one is due, comes by an event stream. */
  readonly post: (message: string, sessionId: string | undefined) => Effect.Effect<void, TransportError>
  /** Opens the event stream of a session, or of the whole connection. */
  readonly listen: (
    sessionId: string | undefined
  ) => Effect.Effect<Stream.Stream<Uint8Array, TransportError>, TransportError>
  /** Notifies the server of the connection's end, if one has begun. */
  readonly end: Effect.Effect<void>
  readonly connectionId: () => string | undefined
}

/** Time that a server has to accept a message or to open a stream. */
const acceptWithin = "30 seconds"

/** Time that the notification of the end may take. */
const endWithin = "2 seconds"

/** Most bytes of an error response that are kept. */
const maxErrorBytes = 8 * 1024

export const make = Effect.fnUntraced(function* ({
  headers,
  maxMessageBytes = defaultMaxLineBytes,
  url
}: Options): Effect.fn.Return<HttpExchange, never, HttpClient.HttpClient | Scope.Scope> {
  // Load balancers recognise a connection by their cookie.
  const cookies = yield* Ref.make<ReadonlyArray<Cookies.Cookie>>([])
  const client = HttpClient.withCookiesRef(yield* HttpClient.HttpClient, cookies)
  let connectionId: string | undefined

  /** Our credentials, which are removed from error texts: servers quote them, and the texts are shown and stored. */
  const credentials = credentialsIn(headers ?? {})
  const unquoted = (body: string) => credentials.reduce((rest, each) => rest.replaceAll(each, "[redacted]"), body)

  const send = (request: HttpClientRequest.HttpClientRequest, sessionId?: string) =>
    client
      .execute(
        HttpClientRequest.setHeaders(request, {
          ...headers,
          ...(connectionId !== undefined && { "acp-connection-id": connectionId }),
          ...(sessionId !== undefined && { "acp-session-id": sessionId })
        })
      )
      .pipe(
        // The agent is a foreign system, so it gets no trace headers.
        Effect.provideService(HttpClient.TracerDisabledWhen, () => true),
        Effect.mapError(unreachable),
        Effect.flatMap((response) =>
          response.status >= 200 && response.status < 300
            ? Effect.succeed(response)
            : Effect.flatMap(beginningOf(response, maxErrorBytes), (body) =>
                Effect.fail(refused(response.status, unquoted(body)))
              )
        )
      )

  const within = <A>(what: string, effect: Effect.Effect<A, TransportError>) =>
    Effect.timeoutOrElse(effect, {
      duration: acceptWithin,
      orElse: () =>
        Effect.fail(
          new TransportError({ reason: "Unreachable", message: `${what} was not accepted in ${acceptWithin}` })
        )
    })

  const posted = (message: string) =>
    HttpClientRequest.bodyText(HttpClientRequest.post(url), message, "application/json")

  const initialize: HttpExchange["initialize"] = Effect.fnUntraced(function* (message) {
    yield* end
    const response = yield* send(posted(message))
    const id = response.headers["acp-connection-id"]
    if (id === undefined) return yield* malformed("The answer to initialize names no connection (Acp-Connection-Id)")
    connectionId = id
    return yield* beginningOf(response, maxMessageBytes)
  })

  const end = Effect.suspend(() => {
    if (connectionId === undefined) return Effect.void
    const farewell = send(HttpClientRequest.delete(url))
    connectionId = undefined
    return farewell.pipe(Effect.timeoutOption(endWithin), Effect.ignore)
  })
  yield* Effect.addFinalizer(() => end)

  return {
    initialize,
    post: (message, sessionId) =>
      within(
        "A message",
        Effect.flatMap(send(posted(message), sessionId), (response) => beginningOf(response, maxErrorBytes))
      ).pipe(Effect.asVoid),
    listen: (sessionId) =>
      Effect.map(
        within(
          "An event stream",
          send(HttpClientRequest.accept(HttpClientRequest.get(url), "text/event-stream"), sessionId)
        ),
        (response) => Stream.mapError(response.stream, unreachable)
      ),
    end,
    connectionId: () => connectionId
  }
})

/** The beginning of the body. The rest is read and dropped, so that the connection can be used again. */
const beginningOf = (response: HttpClientResponse.HttpClientResponse, maxBytes: number): Effect.Effect<string> =>
  Effect.suspend(() => {
    const decoder = new TextDecoder()
    let text = ""
    let room = maxBytes
    const take = (chunk: Uint8Array) =>
      Effect.sync(() => {
        text += decoder.decode(chunk.subarray(0, room), { stream: true })
        room -= Math.min(room, chunk.length)
        return room > 0
      })
    return response.stream.pipe(
      Stream.runForEachWhile(take),
      Effect.ignore,
      Effect.map(() => text)
    )
  })

const secretName = /auth|cookie|credential|key|secret|token/i

/**
 * The values of credential headers, with and without the name of a scheme. Values under 6 characters are left out,
 * since they occur in ordinary text.
 */
const credentialsIn = (headers: Readonly<Record<string, string>>): ReadonlyArray<string> =>
  Object.entries(headers)
    .filter(([name]) => secretName.test(name))
    .flatMap(([, value]) => [value, value.trim().split(/\s+/).at(-1) ?? value])
    .filter(({ length }) => length >= 6)

export const malformed = (message: string): TransportError => new TransportError({ reason: "Malformed", message })

const refused = (status: number, body: string): TransportError =>
  new TransportError({
    reason: TransportError.reasonOf(status),
    message: `The agent's server answered with HTTP ${status}${body === "" ? "" : `: ${body.slice(0, 200)}`}`,
    status,
    body
  })

/** The error with the most specific message: the cause says more than the client's own message. */
const unreachable = ({ message, reason }: HttpClientError.HttpClientError): TransportError => {
  const cause = "cause" in reason ? reason.cause : undefined
  return new TransportError({
    reason: "Unreachable",
    message: cause instanceof Error && cause.message !== "" ? cause.message : message
  })
}
