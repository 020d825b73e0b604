/** The requests that a connection over streamable HTTP is made of (ACP, streamable HTTP and WebSocket transport). */
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
  /** Sent with every request: credentials, mostly. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The longest message that is read. Default: 32 MiB. */
  readonly maxMessageBytes?: number | undefined
}

/** Every failure to get a 2xx answer is a `TransportError`; one with a status was given by the server. */
export interface HttpExchange {
  /** Begins a connection: sends `initialize`, gives its answer. */
  readonly initialize: (message: string) => Effect.Effect<string, TransportError>
  /** Hands over any other message. Its answer, if one is due, comes by an event stream. */
  readonly post: (message: string, sessionId: string | undefined) => Effect.Effect<void, TransportError>
  /** Opens the event stream of a session, or of the connection as a whole. */
  readonly listen: (
    sessionId: string | undefined
  ) => Effect.Effect<Stream.Stream<Uint8Array, TransportError>, TransportError>
  /** Tells the server that the connection is over, if one has begun. */
  readonly end: Effect.Effect<void>
  readonly connectionId: () => string | undefined
}

/** How long a server may take to accept a message or to open a stream. */
const acceptWithin = "30 seconds"

/** How long the end of a connection waits to be heard. */
const endWithin = "2 seconds"

/** Bytes that are kept of what a server says about a failure. */
const maxErrorBytes = 8 * 1024

export const make = Effect.fnUntraced(function* ({
  headers,
  maxMessageBytes = defaultMaxLineBytes,
  url
}: Options): Effect.fn.Return<HttpExchange, never, HttpClient.HttpClient | Scope.Scope> {
  // Load balancers know a connection by their cookie.
  const cookies = yield* Ref.make<ReadonlyArray<Cookies.Cookie>>([])
  const client = HttpClient.withCookiesRef(yield* HttpClient.HttpClient, cookies)
  let connectionId: string | undefined

  /** Servers quote what they were given, and what they say of a failure is shown and kept: without our credentials. */
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
        // The agent is no part of our system: it gets no trace of ours.
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

/** The body as far as it goes; reading it to its end lets the connection be used again. */
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

/** The values of such headers, and what stands in them behind the name of a scheme; a shorter one is a word that stands anywhere. */
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

/** The first that has something to say: what went wrong lies beneath the client's own words for it. */
const unreachable = ({ message, reason }: HttpClientError.HttpClientError): TransportError => {
  const cause = "cause" in reason ? reason.cause : undefined
  return new TransportError({
    reason: "Unreachable",
    message: cause instanceof Error && cause.message !== "" ? cause.message : message
  })
}
