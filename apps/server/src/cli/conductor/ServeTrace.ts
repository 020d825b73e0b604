/** `signalbox conductor view --serve`: a trace as a page for the browsers of this machine, until Ctrl-C. */
import * as Keys from "@signalbox/loopback/Keys"
import * as Listener from "@signalbox/loopback/Listener"
import * as RequestGuard from "@signalbox/loopback/RequestGuard"
import * as RequestHead from "@signalbox/loopback/RequestHead"
import { securityHeaders } from "@signalbox/loopback/SecurityHeaders"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { type CommandFailed, failedWith } from "../terminal/Failure.ts"
import { signals } from "../terminal/Signals.ts"
import * as Stdout from "../terminal/Stdout.ts"
import * as EventPage from "./EventPage.ts"
import * as TraceBook from "./TraceBook.ts"
import * as TraceHtml from "./TraceHtml.ts"
import * as TracePage from "./TracePage.ts"
import * as TraceStyle from "./TraceStyle.ts"

const address = "127.0.0.1"

const methods: ReadonlySet<string> = new Set(["GET", "HEAD"])

/** The page runs no script, loads its own style only, and sends nothing. */
const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join("; ")

const headers = {
  ...securityHeaders(address),
  "content-security-policy": policy,
  // Keeps the trace out of the browser's cache.
  "cache-control": "no-store"
}

const text = (status: number, words: string) => HttpServerResponse.text(`${words}\n`, { status })

const page = (html: string, status = 200) =>
  HttpServerResponse.text(html, { status, contentType: "text/html; charset=utf-8" })

/** The token, the name behind it, and the query of `/TOKEN/NAME?QUERY`. */
const parts = /^\/([\w-]{1,100})\/([\w.]{0,20})(?:\?([^#]{0,100}))?$/

/** The number that a query gives this name; undefined if it is none, or too large. */
const numberIn = (query: string | undefined, name: string): number | undefined => {
  const [, given, digits] = /^([a-z]{1,10})=(\d{1,9})$/.exec(query ?? "") ?? []
  return given === name ? Number(digits) : undefined
}

type Answer = Effect.Effect<HttpServerResponse.HttpServerResponse, CommandFailed>

export const serveTrace = Effect.fn("ServeTrace")(function* (path: string) {
  const book = TraceBook.make(path)
  // Reports what is wrong with the file before a browser asks for the page.
  yield* book.read
  const keys = Keys.make()

  const event = Effect.fnUntraced(function* (number: number) {
    const reading = yield* book.read
    const line = yield* book.line(number)
    return line === undefined
      ? page(TraceHtml.problem("There is no such event.", `The trace has no line ${number} now.`), 404)
      : page(EventPage.html(path, reading, line))
  })

  const pages = new Map<string, (query: string | undefined) => Answer | undefined>([
    [
      "",
      (query) => Effect.map(book.read, (reading) => page(TracePage.html(path, reading, numberIn(query, "page") ?? 1)))
    ],
    [
      "event",
      (query) => {
        const number = numberIn(query, "line")
        return number === undefined ? undefined : event(number)
      }
    ],
    [
      "style.css",
      () => Effect.succeed(HttpServerResponse.text(TraceStyle.css, { contentType: "text/css; charset=utf-8" }))
    ]
  ])

  const answer = (target: string): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
    const [, token = "", name, query] = parts.exec(target) ?? []
    if (!keys.isToken(token))
      return Effect.succeed(
        text(403, "This link is wrong, or its page has ended. Use the one that signalbox has printed.")
      )
    return (
      pages
        .get(name ?? "")?.(query)
        ?.pipe(
          Effect.catch(({ problem: { cause, title } }) => Effect.succeed(page(TraceHtml.problem(title, cause), 500)))
        ) ?? Effect.succeed(text(404, "There is nothing at this address."))
    )
  }

  const incoming = yield* signals
  const { port, serve } = yield* Listener.listen({ address, port: 0, orNext: false }).pipe(
    Effect.mapError(({ message }) =>
      failedWith({ code: "internal", title: "The page can't be shown.", cause: message, evidence: {}, nextSteps: [] })
    )
  )
  const names = RequestGuard.namesOf(address, port)
  yield* serve(
    HttpServerRequest.HttpServerRequest.use((request) => {
      const refused = RequestGuard.refusal(names, RequestHead.of(request, false), methods)
      const answered = refused === undefined ? answer(request.url) : Effect.succeed(text(refused.status, refused.text))
      return Effect.map(answered, HttpServerResponse.setHeaders(headers))
    })
  )
  yield* Stdout.unlessNobodyReads(
    Stdout.write(
      `${names.url}/${keys.token}/\n\nOpen this link in a browser. Whoever has it can read the trace. Ctrl-C ends the page.\n`
    )
  )
  yield* Queue.take(incoming)
}, Effect.scoped)
