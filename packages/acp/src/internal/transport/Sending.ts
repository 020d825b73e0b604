/** Posts the client's messages to their sessions. A refusal answers the message, or ends the session or the connection. */
import * as Effect from "effect/Effect"
import type { TransportError } from "../rpc/Transport.ts"
import * as Envelope from "./Envelope.ts"
import * as HttpExchange from "./HttpExchange.ts"
import type { Inbox } from "./Inbox.ts"
import { failure, type OpenRequests } from "./OpenRequests.ts"
import { reattaches, type SessionStreams } from "./SessionStreams.ts"

/** Completes when the server has accepted a message. Never fails: errors answer the message, or end the connection. */
export type Send = (message: string) => Effect.Effect<void>

interface Options {
  readonly exchange: Pick<HttpExchange.HttpExchange, "initialize" | "post">
  readonly inbox: Pick<Inbox, "put" | "isOver">
  readonly requests: Pick<OpenRequests, "add" | "take" | "takeAsked">
  readonly streams: Pick<SessionStreams, "leave" | "start" | "attend" | "conflicted" | "reconcile" | "end">
}

export const make = ({ exchange, inbox, requests, streams }: Options): Send => {
  const initialize = (message: string) =>
    streams.leave.pipe(
      Effect.andThen(exchange.initialize(message)),
      Effect.flatMap((answer) =>
        Envelope.read(answer)?._tag === "Response"
          ? Effect.andThen(streams.start, inbox.put([answer]))
          : Effect.fail(HttpExchange.malformed("The answer to initialize is no JSON-RPC response"))
      ),
      Effect.catch(streams.end)
    )

  const handOver = (message: string, envelope: Envelope.Envelope, sessionId: string | undefined) =>
    (sessionId === undefined ? Effect.void : streams.attend(sessionId)).pipe(
      Effect.andThen(exchange.post(message, sessionId)),
      Effect.catch((error) => refused(envelope, sessionId, error))
    )

  const refused = (envelope: Envelope.Envelope, sessionId: string | undefined, error: TransportError) => {
    // This also answers the message if it is a request.
    if (sessionId !== undefined && error.status === 409) return streams.conflicted(sessionId, error)
    if (envelope._tag !== "Request" || error.reason !== "Rejected") return streams.end(error)
    // The request may have been answered while it was refused.
    if (sessionId !== undefined && requests.take(envelope.id) === undefined) return Effect.void
    return inbox.put([failure(envelope.id, error)])
  }

  return (message) =>
    Effect.suspend(() => {
      const envelope = Envelope.read(message)
      if (inbox.isOver() || envelope === undefined) return Effect.void
      if (envelope._tag === "Request" && envelope.method === "initialize") return initialize(message)
      const sessionId = envelope._tag === "Response" ? requests.takeAsked(envelope.id) : envelope.sessionId
      if (sessionId !== undefined && envelope._tag === "Request") {
        const { id, method } = envelope
        if (reattaches(method)) streams.reconcile(sessionId)
        requests.add(id, { sessionId, method })
      }
      return handOver(message, envelope, sessionId)
    })
}
