/** The requests of a client that are not answered yet. */
import type { Respond } from "@signalbox/acp/RawConnection"
import type { RawAnswer } from "@signalbox/acp/RawMessage"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"

export interface Unanswered {
  /** Counts a request from now on. Its answer goes through what this returns. */
  readonly track: (respond: Respond) => Respond
  /** Completes when no request waits. */
  readonly none: Effect.Effect<void>
  /** Gives this answer to each request that waits. */
  readonly answerAll: (answer: RawAnswer) => void
}

export const make = (): Unanswered => {
  const open = new Set<Respond>()
  const isNone = Latch.makeUnsafe(true)
  return {
    track: (respond) => {
      const answer: Respond = (given) => {
        if (!open.delete(answer)) return
        if (open.size === 0) isNone.openUnsafe()
        respond(given)
      }
      open.add(answer)
      isNone.closeUnsafe()
      return answer
    },
    none: isNone.await,
    answerAll: (answer) => {
      for (const respond of open) respond(answer)
    }
  }
}
