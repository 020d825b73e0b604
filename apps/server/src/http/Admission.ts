/** Who a request comes from, and the exchange of a link's token for a cookie. */
import * as Clients from "@signalbox/loopback/Clients"
import * as Keys from "@signalbox/loopback/Keys"
import { messageOf } from "@signalbox/system/SystemError"
import * as ByteSize from "effect/ByteSize"
import * as Effect from "effect/Effect"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { empty, text } from "./Answers.ts"
import type { ClientRegistry } from "./ClientRegistry.ts"

type Request = HttpServerRequest.HttpServerRequest

/** A client, or the holder of the server's own token. */
export type Caller = Clients.Client | "server"

/**
 * The delay of the answer to a wrong token. The number of delayed answers at a time is limited. A correct token never
 * waits.
 */
const wrongTokenDelay = "500 millis"
const wrongTokensAtOnce = 8

/** The longest time that browsers keep a cookie. Its entry on the server expires earlier, unless the browser comes back. */
const cookieAge = "400 days"

const maxExchangeBytes = ByteSize.bytes(4096)

const TokenExchange = Schema.fromJsonString(Schema.Struct({ token: Schema.String }))
const decodeExchange = Schema.decodeUnknownOption(TokenExchange)

export const notLetIn = text(
  401,
  "This needs the link that the server printed when it started, or an invitation: it ends in #token=…. A link from an earlier start lets nobody new in, and an invitation can be used once."
)

const pageOf = (clients: Clients.Clients, request: Request) =>
  clients.ofCookie(request.cookies[clients.cookieName], Date.now())

const programOf = (keys: Keys.Keys, clients: Clients.Clients, request: Request): Caller | undefined => {
  const given = Keys.bearerIn(request.headers["authorization"])
  if (given === undefined) return undefined
  return keys.isToken(given) ? "server" : clients.ofToken(given, Date.now())
}

/** Whether a request carries a valid token in its head. No page of another site can send one. */
export const hasToken = (keys: Keys.Keys, clients: Clients.Clients, request: Request): boolean =>
  programOf(keys, clients, request) !== undefined

/** The caller of a request. One with a valid cookie counts as that page, even if it also sends a token. */
export const callerOf =
  (keys: Keys.Keys, clients: Clients.Clients) =>
  (request: Request): Caller | undefined =>
    pageOf(clients, request) ?? programOf(keys, clients, request)

/** Trades the token of the link, or of an invitation, for a cookie: `POST /session {"token": …}`. */
export const exchange = (keys: Keys.Keys, { clients, connections }: ClientRegistry["Service"]) => {
  let wrong = 0
  const refuse = Effect.suspend(() => {
    if (wrong >= wrongTokensAtOnce) return Effect.succeed(text(429, "Too many wrong tokens at once."))
    wrong++
    return Effect.sleep(wrongTokenDelay).pipe(Effect.as(notLetIn), Effect.ensuring(Effect.sync(() => wrong--)))
  })
  const letIn = ({ secret }: Clients.LetIn) => {
    // A connection by an earlier cookie of this page must not have the new scope, not even for one call.
    connections.look()
    return HttpServerResponse.setCookieUnsafe(empty(204), clients.cookieName, secret, {
      httpOnly: true,
      sameSite: "strict",
      path: "/",
      maxAge: cookieAge
    })
  }
  return Effect.fnUntraced(function* (request: Request) {
    if (!/^application\/json\s*(?:;|$)/i.test(request.headers["content-type"] ?? "")) {
      return text(415, 'Send {"token": …} as application/json.')
    }
    const body = yield* request.text.pipe(
      Effect.provideService(HttpIncomingMessage.MaxBodySize, maxExchangeBytes),
      Effect.option
    )
    const given = Option.flatMap(body, decodeExchange)
    if (Option.isNone(given)) return text(400, 'Send {"token": …} as application/json.')
    const { token } = given.value
    const known = pageOf(clients, request)
    // A page that may do everything already keeps its cookie.
    if (keys.isToken(token)) return known?.scope === "admin" ? empty(204) : letIn(clients.admit(Date.now(), known))
    const accepted = yield* Effect.result(
      Effect.try({ try: () => clients.accept(token, Date.now(), known), catch: messageOf })
    )
    // An invitation that can't be ended could be used again.
    if (accepted._tag === "Failure") return text(503, `The file of clients can't be changed: ${accepted.failure}.`)
    if (accepted.success === undefined) return yield* refuse
    return accepted.success === "known" ? empty(204) : letIn(accepted.success)
  })
}
