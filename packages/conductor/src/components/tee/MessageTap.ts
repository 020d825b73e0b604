/** Sees each message that passes a proxy, once and in order. */
import type { MessageLink } from "@signalbox/acp/MessageLink"
import * as RawMessage from "@signalbox/acp/RawMessage"
import * as Effect from "effect/Effect"

/** `downstream` goes toward the agent, `upstream` toward the client. */
export type Direction = "downstream" | "upstream"

/** Is called synchronously with a message in one line of JSON, without the envelope of the proxy protocol. It must neither wait nor throw. */
export type See = (direction: Direction, message: string) => void

/**
 * The link of a proxy that passes everything on, with somebody who sees what passes. Nothing of it is changed.
 *
 * Requests and notifications are seen when they come, and responses when they leave. So a response has the id of its request.
 */
export const make = (link: MessageLink, see: See): MessageLink => {
  /** Directions of the requests that are not answered yet, by their ids. */
  const open = new Map<string, Direction>()

  const seen = (direction: Direction, message: RawMessage.RawMessage) => {
    const bare = "side" in message ? { ...message, side: "client" as const } : message
    // Line breaks in JSON text stand between its tokens only.
    see(direction, RawMessage.write(bare, "proxy").replaceAll("\n", " "))
  }

  const arrived = (arrival: Parameters<Parameters<MessageLink["receive"]>[0]>[0][number]) => {
    if (arrival._tag === "Request" || arrival._tag === "Notification") {
      const direction = arrival.side === "client" ? "downstream" : "upstream"
      if (arrival._tag === "Request") open.set(arrival.id, direction)
      seen(direction, arrival)
    } else if (arrival._tag === "Cancel") {
      const direction = open.get(arrival.id)
      if (direction !== undefined) seen(direction, arrival)
    }
  }

  return {
    ...link,
    receive: (take) =>
      link.receive((batch) =>
        Effect.suspend(() => {
          for (const arrival of batch) arrived(arrival)
          return take(batch)
        })
      ),
    send: (message) => {
      if (message._tag === "Response") {
        const asked = open.get(message.id)
        open.delete(message.id)
        if (asked !== undefined) seen(asked === "downstream" ? "upstream" : "downstream", message)
      }
      link.send(message)
    }
  }
}
