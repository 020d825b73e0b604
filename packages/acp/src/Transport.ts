/** The two byte streams of a connection: what a child process, one's own standard streams, or a test offers. */
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import type * as Cause from "effect/Cause"
import * as Sink from "effect/Sink"
import * as Stream from "effect/Stream"

/** `input` is what the other side writes, `output` what it reads. Its end is the end of the connection. */
export interface Transport<E = unknown> {
  readonly input: Stream.Stream<Uint8Array, E>
  readonly output: Sink.Sink<void, Uint8Array, unknown, E>
}

/**
 * Two connected ends in memory. When one end's output is finished, the other end's input ends.
 *
 * @param capacity chunks under way in one direction before a writer has to wait
 */
export const pair = Effect.fnUntraced(function* (capacity = 16) {
  const there = yield* Queue.bounded<Uint8Array, Cause.Done>(capacity)
  const back = yield* Queue.bounded<Uint8Array, Cause.Done>(capacity)
  const end = (
    from: Queue.Queue<Uint8Array, Cause.Done>,
    to: Queue.Queue<Uint8Array, Cause.Done>
  ): Transport<never> => ({
    input: Stream.fromQueue(from),
    output: Sink.forEach((chunk: Uint8Array) => Queue.offer(to, chunk)).pipe(Sink.ensuring(Queue.end(to)))
  })
  return [end(there, back), end(back, there)] as const
})
