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
import { failedWith } from "../terminal/Failure.ts"
import { signals } from "../terminal/Signals.ts"
import * as Stdout from "../terminal/Stdout.ts"
import * as TraceBook from "./TraceBook.ts"
import * as TracePage from "./TracePage.ts"

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

const pageIn = (query: string | undefined): number => {
  const number = /^page=(\d{1,9})$/.exec(query ?? "")?.[1]
  return number === undefined ? 1 : Number(number)
}

export const serveTrace = Effect.fn("ServeTrace")(function* (path: string) {
  const book = TraceBook.make(path)
  // Reports what is wrong with the file before a browser asks for the page.
  yield* book.read
  const keys = Keys.make()

  const answer = (target: string): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
    const [, token = "", name, query] = parts.exec(target) ?? []
    if (!keys.isToken(token))
      return Effect.succeed(
        text(403, "This link is wrong, or its page has ended. Use the one that signalbox has printed.")
      )
    if (name === "style.css")
      return Effect.succeed(HttpServerResponse.text(TracePage.style, { contentType: "text/css; charset=utf-8" }))
    if (name !== "") return Effect.succeed(text(404, "There is nothing at this address."))
    return book.read.pipe(
      Effect.map((reading) => page(TracePage.html(path, reading, pageIn(query)))),
      Effect.catch(({ problem: { cause, title } }) => Effect.succeed(page(TracePage.problem(title, cause), 500)))
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
