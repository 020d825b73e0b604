/** Two byte streams of framed messages, made a transport for a JSON-RPC peer. */
import type { Transport } from "@signalbox/acp/Transport"
import * as Effect from "effect/Effect"
import * as Sink from "effect/Sink"
import * as Stream from "effect/Stream"
import * as Framing from "./Framing.ts"
import type { FramingError } from "./FramingError.ts"

/** The streams of a language server or of its client. */
export interface Bytes<E> {
  readonly input: Stream.Stream<Uint8Array, E>
  readonly output: Sink.Sink<void, Uint8Array, unknown, E>
}

/** Characters of a message that took a while to decode. */
const long = 256 * 1024

/** Lets everything else of this process go on. */
const pause = Stream.drain(Stream.fromEffect(Effect.yieldNow))

/** Reads messages up to the first error, which ends the input: nobody knows then where the next message begins. */
const messagesOf = <E>(input: Stream.Stream<Uint8Array, E>, options: Framing.Options) =>
  Stream.suspend(() => {
    const unframer = Framing.unframer(options)
    const texts = input.pipe(
      Stream.map((chunk) => unframer.push(chunk)),
      Stream.flatMap(({ error, texts }): Stream.Stream<string, FramingError> => {
        const all = Stream.fromIterable(texts)
        // Whoever reads it parses it at once.
        const read = texts.some(({ length }) => length > long) ? Stream.concat(pause, all) : all
        return error === undefined ? read : Stream.concat(read, Stream.fail(error))
      })
    )
    const end = Stream.suspend(() => {
      const error = unframer.end()
      return error === undefined ? Stream.empty : Stream.fail(error)
    })
    return Stream.concat(texts, end)
  })

/** Makes a transport. What the peer writes are lines; each of them leaves as one message. */
export const make = <E>({ input, output }: Bytes<E>, options: Framing.Options): Transport<E | FramingError> => ({
  input: messagesOf(input, options),
  output: Sink.suspend(() => {
    const framer = Framing.framer()
    return Sink.mapInput(output, (chunk: Uint8Array) => framer.push(chunk))
  })
})
