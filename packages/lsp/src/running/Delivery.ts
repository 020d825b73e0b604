/**
 * What a server has surely read of what it got. Servers read in order, so an answer to a question shows that the notifications
 * before it were read.
 */
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"

export interface Delivery {
  /** A file's text was sent. */
  readonly sent: (path: string) => void
  /** A question is sent. The returned function is called at its answer. */
  readonly asked: () => () => void
  readonly hasRead: (path: string) => boolean
  /** Completes when the text that was sent last is read. */
  readonly untilRead: (path: string) => Effect.Effect<void>
  /** The server published something about a file. */
  readonly published: (path: string) => void
  /** How often it has done so. */
  readonly publications: (path: string) => number
}

export const make = (): Delivery => {
  let count = 0
  let read = 0
  const lastSent = new Map<string, number>()
  const publications = new Map<string, number>()
  let latch = Latch.makeUnsafe(false)

  const hasRead = (path: string) => (lastSent.get(path) ?? 0) <= read

  return {
    sent: (path) => {
      count += 1
      lastSent.set(path, count)
    },
    asked: () => {
      const before = count
      return () => {
        if (before <= read) return
        read = before
        const waiting = latch
        latch = Latch.makeUnsafe(false)
        waiting.openUnsafe()
      }
    },
    hasRead,
    untilRead: (path) => Effect.whileLoop({ while: () => !hasRead(path), body: () => latch.await, step: () => {} }),
    published: (path) => publications.set(path, (publications.get(path) ?? 0) + 1),
    publications: (path) => publications.get(path) ?? 0
  }
}
