/**
 * Outgoing lines, gathered so that everything sent in one turn of the event loop leaves in one write.
 *
 * Sending never waits, so that an answer can be given from anywhere; who sends much waits for `room` in between.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Stream from "effect/Stream"

/** Characters under way beyond which `room` waits: a few pipe buffers. */
const highWaterMark = 256 * 1024

export interface Outbox {
  /** Takes a line, without its newline. Returns false when the outbox has ended. */
  readonly offer: (line: string) => boolean
  /** Completes when what is under way is below the mark, or when the outbox has ended. */
  readonly room: Effect.Effect<void>
  /** Characters that are under way. */
  readonly waiting: () => number
  /** No more lines: the stream ends after what was taken. */
  readonly end: () => void
  /** The bytes to write; a chunk counts as written when the next one is asked for. */
  readonly stream: Stream.Stream<Uint8Array>
}

export const make = (): Outbox => {
  const encoder = new TextEncoder()
  const filled = Latch.makeUnsafe(false)
  const room = Latch.makeUnsafe(true)
  let lines: Array<string> = []
  let queued = 0
  let writing = 0
  let ended = false

  const next: Effect.Effect<readonly [Uint8Array], Cause.Done> = Effect.suspend(() => {
    writing = 0
    if (queued < highWaterMark) room.openUnsafe()
    // The yield lets the rest of this turn's lines come in.
    return Effect.flatMap(Effect.andThen(filled.await, Effect.yieldNow), take)
  })

  const take = (): Effect.Effect<readonly [Uint8Array], Cause.Done> => {
    if (lines.length === 0) return ended ? Cause.done() : next
    const text = `${lines.join("\n")}\n`
    lines = []
    writing = queued
    queued = 0
    if (!ended) filled.closeUnsafe()
    return Effect.succeed([encoder.encode(text)])
  }

  return {
    offer: (line) => {
      if (ended) return false
      lines.push(line)
      queued += line.length + 1
      filled.openUnsafe()
      if (queued + writing >= highWaterMark) room.closeUnsafe()
      return true
    },
    room: room.await,
    waiting: () => queued + writing,
    end: () => {
      ended = true
      filled.openUnsafe()
      room.openUnsafe()
    },
    stream: Stream.fromPull(Effect.succeed(next))
  }
}
