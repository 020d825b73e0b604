/** The answer to one request over HTTP: JSON, or a stream of events if anything is said before the answer. */
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { ClassicSession } from "./ClassicSession.ts"

type Response = HttpServerResponse.HttpServerResponse

/** An answer: a line of JSON-RPC. `status` counts only if nothing was said before. */
export interface Answer {
  readonly line: string
  readonly status: number
}

interface Event extends Answer {
  readonly isAnswer: boolean
}

/** Without a word in this time, a client could believe that the connection is dead. */
const keepAliveEvery = "15 seconds"

/** Characters that may wait for a client which does not read. */
const mostWaiting = 1024 * 1024

const encoder = new TextEncoder()

export const json = (status: number, line: string, headers: Readonly<Record<string, string>> = {}): Response =>
  HttpServerResponse.text(line, { status, headers, contentType: "application/json" })

const eventStream = (events: Stream.Stream<string>, headers: Readonly<Record<string, string>> = {}): Response =>
  HttpServerResponse.stream(
    Stream.map(events, (text) => encoder.encode(text)),
    {
      contentType: "text/event-stream",
      headers: { "cache-control": "no-cache", "x-accel-buffering": "no", ...headers }
    }
  )

const keepAlive = ": keepalive\n\n"

const eventOf = (line: string): string => `event: message\ndata: ${line}\n\n`

/** A stream of what a server says about no request, until the session ends. */
export const said = ({ ended, said }: Pick<ClassicSession, "ended" | "said">): Response => {
  const line = Effect.map(Queue.take(said), (text) => [eventOf(text), undefined] as const)
  const next = Effect.timeoutOrElse(Effect.raceFirst(line, Effect.as(ended, undefined)), {
    duration: keepAliveEvery,
    orElse: () => Effect.succeed([keepAlive, undefined] as const)
  })
  // The first comment is sent at once, so that the client has its headers.
  return eventStream(
    Stream.concat(
      Stream.make(keepAlive),
      Stream.unfold(undefined, () => next)
    )
  )
}

/**
 * Runs a request, and answers with what it comes to. When the client leaves, the request is interrupted.
 *
 * @param run gets what sends a line before the answer
 * @param overflowed the answer to a client that does not read what is said
 */
export const make = Effect.fnUntraced(function* (
  run: (say: (line: string) => void) => Effect.Effect<Answer>,
  overflowed: Answer,
  headersOf: () => Readonly<Record<string, string>> = () => ({})
): Effect.fn.Return<Response, never, Scope.Scope> {
  const events = yield* Queue.unbounded<Event>()
  let waiting = 0
  let isOver = false
  const add = (answer: Answer, isAnswer: boolean) => {
    if (isOver) return
    isOver = isAnswer
    waiting += answer.line.length
    Queue.offerUnsafe(events, { ...answer, isAnswer })
  }
  const fiber = yield* run((line) => {
    if (waiting <= mostWaiting) return add({ line, status: 200 }, false)
    add(overflowed, true)
    fiber.interruptUnsafe()
  }).pipe(
    Effect.map((answer) => add(answer, true)),
    Effect.forkScoped
  )
  const take = Effect.tap(Queue.take(events), ({ line }) => Effect.sync(() => (waiting -= line.length)))
  const next = Effect.timeoutOrElse(take, { duration: keepAliveEvery, orElse: () => Effect.undefined })

  const first = yield* next
  if (first?.isAnswer === true) return json(first.status, first.line, headersOf())
  const step = (event: Event | undefined) =>
    [event === undefined ? keepAlive : eventOf(event.line), event?.isAnswer === true] as const
  const rest = Stream.unfold(false, (isLast) => (isLast ? Effect.undefined : Effect.map(next, step)))
  return eventStream(Stream.concat(Stream.make(step(first)[0]), rest), headersOf())
})
