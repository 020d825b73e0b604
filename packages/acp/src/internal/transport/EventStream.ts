/** Reads JSON-RPC messages from server-sent events, synchronously. */
import * as Sse from "effect/encoding/Sse"
import * as Result from "effect/Result"
import { TransportError } from "../rpc/Transport.ts"
import * as Envelope from "./Envelope.ts"

/** Takes bytes, and returns the data of the events that they complete. */
export type EventStream = (chunks: ReadonlyArray<Uint8Array>) => Result.Result<ReadonlyArray<string>, TransportError>

/** The beginning of an event with a message on one line, which ends with two newlines. Servers send little else. */
const before = "data: "
const colon = 58
const newline = 10
const carriageReturn = 13

/** @param maxMessageBytes the longest message, in UTF-16 code units; a longer one is an error */
export const make = (maxMessageBytes: number): EventStream => {
  const decoder = new TextDecoder()
  let messages: Array<string> = []
  /** Text of an incomplete event. */
  let parts: Array<string> = []
  let length = 0
  /** Parses events in other forms, from the first such event to the end. */
  const parser = Sse.makeParser(
    (event) => {
      if (event._tag === "Event") messages.push(Envelope.flat(event.data))
    },
    { maxEventSize: maxMessageBytes }
  )
  let parsing = false

  /** Parses a text. Returns false after an error. */
  const parse = (text: string): boolean => {
    parsing = true
    return parser.feed(text) === undefined
  }

  /** Splits a text that begins with an event. Returns false if a message is too long. */
  const split = (text: string): boolean => {
    let at = 0
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", at)) {
      if (end + 1 === text.length) break
      const isOneLine = text.charCodeAt(end + 1) === newline && text.charCodeAt(end - 1) !== carriageReturn
      const isMessage = isOneLine && text.startsWith(before, at)
      // A comment is a sign of life.
      if (!isMessage && !(isOneLine && text.charCodeAt(at) === colon)) return parse(text.slice(at))
      if (end - at > maxMessageBytes) return false
      if (isMessage) messages.push(text.slice(at + before.length, end))
      at = end + 2
    }
    length = text.length - at
    parts = length === 0 ? [] : [text.slice(at)]
    return length <= maxMessageBytes
  }

  const take = (text: string): boolean => {
    if (parsing) return parse(text)
    parts.push(text)
    length += text.length
    // The newline of an incomplete event may be the last character so far.
    if (!text.includes("\n")) return length <= maxMessageBytes
    const whole = parts.length === 1 ? text : parts.join("")
    return split(whole)
  }

  return (chunks) => {
    messages = []
    for (const chunk of chunks) {
      if (!take(decoder.decode(chunk, { stream: true }))) {
        return Result.fail(new TransportError({ reason: "Malformed", message: "A message is too long" }))
      }
    }
    return Result.succeed(messages)
  }
}
