/** The far end of a connection, by hand: writes exactly the bytes a test wants, and reads what comes back line by line. */
import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Schema from "effect/Schema"
import * as Sink from "effect/Sink"
import * as Stream from "effect/Stream"
import * as LineSplitter from "../src/LineSplitter.ts"
import type { Transport } from "../src/Transport.ts"

export interface OtherSide {
  readonly transport: Transport
  /** One chunk on the wire. */
  readonly write: (bytes: string | Uint8Array) => Effect.Effect<void>
  /** Messages, one line each, in one chunk. */
  readonly send: (...messages: ReadonlyArray<unknown>) => Effect.Effect<void>
  /** The next line that was sent to this side, parsed. */
  readonly next: Effect.Effect<Message>
  /** How many lines have come that nobody has taken. */
  readonly waiting: Effect.Effect<number>
  readonly end: Effect.Effect<void>
  /** Completes when the near side has ended what it writes, and all of that was taken. */
  readonly ended: Effect.Effect<void>
  /** Makes reading fail on the near side. */
  readonly breakInput: (message: string) => Effect.Effect<void>
}

export interface Message {
  readonly jsonrpc: "2.0"
  readonly id?: unknown
  readonly method?: string
  readonly params?: unknown
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

class PipeBroken extends Schema.TaggedError<PipeBroken>()("PipeBroken", { message: Schema.String }) {}

const encoder = new TextEncoder()

export const make = Effect.gen(function* () {
  const toNear = yield* Queue.unbounded<Uint8Array, PipeBroken | Cause.Done>()
  const fromNear = yield* Queue.unbounded<Message, Cause.Done>()
  const splitter = LineSplitter.make()
  const take = (chunk: Uint8Array) =>
    Queue.offerAll(
      fromNear,
      splitter.push(chunk).map((line): Message => JSON.parse(line))
    )
  const write = (bytes: string | Uint8Array) =>
    Effect.asVoid(Queue.offer(toNear, typeof bytes === "string" ? encoder.encode(bytes) : bytes))
  const side: OtherSide = {
    transport: {
      input: Stream.fromQueue(toNear),
      output: Sink.forEach(take).pipe(Sink.ensuring(Queue.end(fromNear)))
    },
    write,
    send: (...messages) => write(messages.map((message) => `${JSON.stringify(message)}\n`).join("")),
    next: Effect.orDie(Queue.take(fromNear)),
    waiting: Queue.size(fromNear),
    end: Effect.asVoid(Queue.end(toNear)),
    ended: Queue.await(fromNear),
    breakInput: (message) => Effect.asVoid(Queue.fail(toNear, new PipeBroken({ message })))
  }
  return side
})

/** A transport whose output fails at the first write; the input goes on. */
export const failingOutput = (transport: Transport, message: string): Transport => ({
  input: transport.input,
  output: Sink.forEach(() => Effect.fail(new PipeBroken({ message })))
})

export const notification = (method: string, params: unknown) => ({ jsonrpc: "2.0", method, params })
export const request = (id: unknown, method: string, params: unknown = {}) => ({ jsonrpc: "2.0", id, method, params })
export const result = (id: unknown, value: unknown): Message => ({ jsonrpc: "2.0", id, result: value })
