/**
 * The one stream of events of an adapter. Putting events in never waits, so that order is the order of what happened; the
 * reader of a flooding agent waits for `room`, and with it the agent. A `Queue` in its place would cost each batch a turn of the event loop.
 */
import type { ProviderRuntimeEvent } from "@signalbox/contracts/ProviderRuntimeEvent"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Stream from "effect/Stream"

/** Characters under way beyond which readers wait. */
const highWaterMark = 4 * 1024 * 1024

export interface EventOutlet {
  /**
   * Puts events in. A consumer that waits takes them here and now: whoever emits has to be done with its own state before.
   * `added` is what the events weigh.
   */
  readonly offer: (events: ReadonlyArray<ProviderRuntimeEvent>, added: number) => void
  /** Whether `room` would wait. */
  readonly isFull: () => boolean
  /** Completes when the consumer has caught up. */
  readonly room: Effect.Effect<void>
  /** The events, for one consumer. Everything that has come together is one chunk. */
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
    // What one step brought is handed over as it is.
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
