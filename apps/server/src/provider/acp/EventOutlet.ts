/**
 * The one stream of events of an adapter. Putting events in never waits, so that order is the order of what happened; the
 * reader of a flooding agent waits for `room`, and with it the agent.
 */
import type { ProviderRuntimeEvent } from "@signalbox/contracts/ProviderRuntimeEvent"
import type * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Stream from "effect/Stream"

/** Characters under way beyond which readers wait. */
const highWaterMark = 4 * 1024 * 1024
/** What an event weighs beside its texts. */
const eventWeight = 256

export interface EventOutlet {
  readonly offer: (events: ReadonlyArray<ProviderRuntimeEvent>) => void
  /** Whether `room` would wait. */
  readonly isFull: () => boolean
  /** Completes when the consumer has caught up. */
  readonly room: Effect.Effect<void>
  /** For one consumer. Everything that has come together is one chunk. */
  readonly stream: Stream.Stream<ProviderRuntimeEvent>
}

const weigh = (event: ProviderRuntimeEvent): number => {
  if (event.type === "message.delta" || event.type === "thought.delta" || event.type === "prompt.replayed") {
    return eventWeight + event.text.length
  }
  if (event.type === "tool.started" || event.type === "tool.updated" || event.type === "tool.completed") {
    const { diffs, rawInput, rawOutput } = event.tool
    const texts = diffs.reduce((sum, diff) => sum + diff.newText.length + (diff.oldText?.length ?? 0), 0)
    // Input and output are there twice: as the agent sent them, and read.
    return eventWeight * 4 + 2 * (rawInput?.length ?? 0) + 2 * (rawOutput?.length ?? 0) + texts
  }
  if (event.type === "protocol.unknown") return eventWeight + event.raw.length
  if (event.type === "message.content" && "data" in event.content) return eventWeight + event.content.data.length
  return eventWeight * 4
}

export const make = (): EventOutlet => {
  const filled = Latch.makeUnsafe(false)
  const room = Latch.makeUnsafe(true)
  let waiting: Array<ProviderRuntimeEvent> = []
  let weight = 0
  let full = false

  const next: Effect.Effect<Arr.NonEmptyReadonlyArray<ProviderRuntimeEvent>> = Effect.suspend(() => {
    const [first, ...rest] = waiting
    if (first === undefined) {
      filled.closeUnsafe()
      return Effect.flatMap(filled.await, () => next)
    }
    waiting = []
    weight = 0
    full = false
    room.openUnsafe()
    return Effect.succeed([first, ...rest])
  })

  return {
    offer: (events) => {
      if (events.length === 0) return
      for (const event of events) {
        waiting.push(event)
        weight += weigh(event)
      }
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
