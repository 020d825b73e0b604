/**
 * The loop between a thread and its agent. `Intent.next` derives what to do from each commit. It is carried out beside the thread's lane, and
 * its outcome is the next commit.
 */
import type { ThreadHead } from "@signalbox/contracts/ThreadView"
import * as Intent from "@signalbox/threads/Intent"
import * as Effect from "effect/Effect"

export interface ReactionLoop {
  /** Begins what to do next. To be called after the occasion has become the thread's state. */
  readonly follow: (occasion: Intent.Occasion) => Effect.Effect<void>
}

export interface Options {
  /** Nothing before `thread.created`. */
  readonly head: () => ThreadHead | undefined
  readonly resume: Intent.Resume
  readonly isLeaving: () => boolean
  /** In the background; the thread stays in memory until it ends. */
  readonly fork: (effect: Effect.Effect<void>) => Effect.Effect<void>
  readonly carryOut: (intent: Intent.Intent) => Effect.Effect<void>
}

export const make = ({ carryOut, fork, head, isLeaving, resume }: Options): ReactionLoop => {
  const doing = new Set<Intent.Exclusive>()

  const follow = (occasion: Intent.Occasion): Effect.Effect<void> =>
    Effect.suspend(() => {
      const now = head()
      if (now === undefined) return Effect.void
      return begin(Intent.next(now, occasion, { doing, leaving: isLeaving(), resume }))
    })

  const begin = (intents: ReadonlyArray<Intent.Intent>): Effect.Effect<void> =>
    intents.length === 0 ? Effect.void : Effect.forEach(intents, beginOne, { discard: true })

  const beginOne = (intent: Intent.Intent): Effect.Effect<void> => {
    const { type } = intent
    if (!Intent.isExclusive(type)) return fork(carryOut(intent))
    doing.add(type)
    const done = Effect.ensuring(
      carryOut(intent),
      Effect.sync(() => doing.delete(type))
    )
    return fork("turn" in intent ? Effect.andThen(done, follow({ type: "attempted", turn: intent.turn })) : done)
  }

  return { follow }
}
