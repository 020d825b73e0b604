/** Server-sent events to the JSON-RPC messages they carry, synchronously. */
import * as Result from "effect/Result"
import * as Sse from "effect/encoding/Sse"
import { TransportError } from "../Transport.ts"

/** Takes bytes; gives the data of the events that they complete. */
export type EventStream = (chunks: ReadonlyArray<Uint8Array>) => Result.Result<ReadonlyArray<string>, TransportError>

/** @param maxMessageBytes the longest message, in UTF-16 code units; a longer one is an error */
export const make = (maxMessageBytes: number): EventStream => {
  const decoder = new TextDecoder()
  let messages: Array<string> = []
  const parser = Sse.makeParser(
    (event) => {
      if (event._tag === "Event") messages.push(event.data)
    },
    { maxEventSize: maxMessageBytes }
  )
  return (chunks) => {
    messages = []
    for (const chunk of chunks) {
      const error = parser.feed(decoder.decode(chunk, { stream: true }))
      if (error !== undefined) {
        return Result.fail(new TransportError({ reason: "Malformed", message: "A message is too long" }))
      }
    }
    return Result.succeed(messages)
  }
}
