/** The far end of a connection as lines of text. So a test can compare character by character what is passed on. */
import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Sink from "effect/Sink"
import * as Stream from "effect/Stream"
import * as LineSplitter from "../src/LineSplitter.ts"
import type { Transport } from "../src/Transport.ts"

export interface LineSide {
  /** The near end: it reads what `send` writes. */
  readonly transport: Transport
  /** Writes lines in one chunk. */
  readonly send: (...lines: ReadonlyArray<string>) => Effect.Effect<void>
  /** The next line that the near end wrote. */
  readonly next: Effect.Effect<string>
  readonly end: Effect.Effect<void>
}

export const make = Effect.gen(function* () {
  const toNear = yield* Queue.unbounded<Uint8Array, Cause.Done>()
  const fromNear = yield* Queue.unbounded<string, Cause.Done>()
  const splitter = LineSplitter.make()
  const side: LineSide = {
    transport: {
      input: Stream.fromQueue(toNear),
      output: Sink.forEach((chunk: Uint8Array) => Queue.offerAll(fromNear, splitter.push(chunk))).pipe(
        Sink.ensuring(Queue.end(fromNear))
      )
    },
    send: (...lines) =>
      Effect.asVoid(Queue.offer(toNear, new TextEncoder().encode(lines.map((line) => `${line}\n`).join("")))),
    next: Effect.orDie(Queue.take(fromNear)),
    end: Effect.asVoid(Queue.end(toNear))
  }
  return side
})
