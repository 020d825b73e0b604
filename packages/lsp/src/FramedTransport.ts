/** Two byte streams of framed messages, made a transport for a JSON-RPC peer. */
import * as LineSplitter from "@signalbox/acp/LineSplitter"
import type { Transport } from "@signalbox/acp/Transport"
import * as Sink from "effect/Sink"
import * as Stream from "effect/Stream"
import * as Framing from "./Framing.ts"
import type { FramingError } from "./FramingError.ts"

/** The streams of a language server or of its client. */
export interface Bytes<E> {
  readonly input: Stream.Stream<Uint8Array, E>
  readonly output: Sink.Sink<void, Uint8Array, unknown, E>
}

/** Reads messages up to the first error, which ends the input. Where the next message begins is not known then. */
const messagesOf = <E>(input: Stream.Stream<Uint8Array, E>, options: Framing.Options) =>
  Stream.suspend(() => {
    const unframer = Framing.unframer(options)
    const texts = input.pipe(
      Stream.map((chunk) => unframer.push(chunk)),
      Stream.flatMap(({ error, texts }): Stream.Stream<string, FramingError> => {
        const read = Stream.fromIterable(texts)
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
    const splitter = LineSplitter.make({ maxLineBytes: Infinity })
    return Sink.mapInput(output, (chunk: Uint8Array) => Framing.frame(splitter.push(chunk)))
  })
})
