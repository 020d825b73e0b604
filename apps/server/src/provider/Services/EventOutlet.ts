/**
 * The one stream of an adapter's events. Adding events never waits, so the order is that of their occurrence. The
 * reader of a flooding agent waits for `room`, and so does the agent. A `Queue` instead would delay each batch by one
 * turn of the event loop.
 */
import type { ProviderRuntimeEvent } from "@signalbox/contracts/ProviderRuntimeEvent"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Stream from "effect/Stream"

/** Characters in transit from which readers must wait. */
const highWaterMark = 4 * 1024 * 1024

export interface EventOutlet {
  /**
   * Adds events. `added`: their weight in characters. A waiting consumer takes them immediately, so the caller's own
   * state must be complete before.
   */
  readonly offer: (events: ReadonlyArray<ProviderRuntimeEvent>, added: number) => void
  /** Whether `room` would wait. */
  readonly isFull: () => boolean
  /** Completes when the consumer has caught up. */
  readonly room: Effect.Effect<void>
  /** The events, for one consumer. Events that arrived together are one chunk. */
  readonly stream: Stream.Stream<ProviderRuntimeEvent>
}

export const make = (): EventOutlet => {
  const filled = Latch.makeUnsafe(false)
  const room = Latch.makeUnsafe(true)
  let waiting: Array<ReadonlyArray<ProviderRuntimeEvent>> = []
  let weight = 0
  let full = false

  const next: Effect.Effect<Arr.NonEmptyReadonlyArray<ProviderRuntimeEvent>> = Effect.suspend(() => {
    const [first] = waiting
    // A single batch is passed on without a copy.
    const taken: ReadonlyArray<ProviderRuntimeEvent> =
      waiting.length === 1 && first !== undefined ? first : waiting.flat()
    if (!Arr.isReadonlyArrayNonEmpty(taken)) {
      filled.closeUnsafe()
      return Effect.flatMap(filled.await, () => next)
    }
    waiting = []
    weight = 0
    full = false
    room.openUnsafe()
    return Effect.succeed(taken)
  })

  return {
    offer: (events, added) => {
      waiting.push(events)
      weight += added
      filled.openUnsafe()
      if (weight >= highWaterMark && !full) {
        full = true
        room.closeUnsafe()
      }
    },
    isFull: () => full,
    room: room.await,
    stream: Stream.fromPull(Effect.succeed(next))
  }
}
