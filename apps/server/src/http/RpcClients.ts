/** Identifies the client of a connection by the way it was let in. What the client itself says does not count. */
import { AnsweringClient } from "@signalbox/contracts/AgentRequest"
import * as Headers from "effect/http/Headers"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { createHash, randomUUID } from "node:crypto"

/**
 * The header that marks the client. Each call carries the connection's headers and headers of the client, but the
 * client can't know this name.
 */
const header = `signalbox-client-${randomUUID()}`

const Json = Schema.fromJsonString(AnsweringClient)
const decode = Schema.decodeUnknownOption(Json)
const encode = Schema.encodeSync(Json)

/** The client of a connection that was let in; `cookie` is what let it in, if not the token. */
export const clientOf = (cookie: string | undefined): AnsweringClient =>
  cookie === undefined ? { kind: "program" } : { kind: "page", name: shortId(cookie) }

/** An id that distinguishes browsers and reveals nothing of the cookie. */
const shortId = (cookie: string): string => createHash("sha256").update(`browser ${cookie}`).digest("hex").slice(0, 6)

export const mark = (headers: Headers.Headers, client: AnsweringClient): Headers.Headers =>
  Headers.set(headers, header, encode(client))

/** The client of the connection that a call came on. */
export const markedIn = (headers: Headers.Headers): AnsweringClient | undefined =>
  Option.getOrUndefined(Option.flatMap(Headers.get(headers, header), decode))
