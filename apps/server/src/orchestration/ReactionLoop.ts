/**
 * The loop between a thread and its agent. `Intent.next` derives what to do from each commit. It is carried out beside the thread's lane, and
 * its outcome is the next commit.
 */
import type { ThreadHead } from "@signalbox/contracts/ThreadView"
import * as Intent from "@signalbox/threads/Intent"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"

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
  const doing = Ref.makeUnsafe<ReadonlySet<Intent.Exclusive>>(new Set())

  /** What to do next. It counts as being done from this step on, so that nobody else begins it. */
  const claim = (occasion: Intent.Occasion): Effect.Effect<ReadonlyArray<Intent.Intent>> =>
    Ref.modify(doing, (before) => {
      const now = head()
      const standing = { doing: before, leaving: isLeaving(), resume }
      const intents = now === undefined ? [] : Intent.next(now, occasion, standing)
      const begun = intents.map(({ type }) => type).filter(Intent.isExclusive)
      return [intents, begun.length === 0 ? before : new Set([...before, ...begun])]
    })

  const follow = (occasion: Intent.Occasion): Effect.Effect<void> =>
    Effect.flatMap(claim(occasion), (intents) =>
      intents.length === 0 ? Effect.void : Effect.forEach(intents, begin, { discard: true })
    )

  const begin = (intent: Intent.Intent): Effect.Effect<void> => {
    const { type } = intent
    if (!Intent.isExclusive(type)) return fork(carryOut(intent))
    const over = Ref.update(doing, (before) => new Set([...before].filter((other) => other !== type)))
    const done = Effect.ensuring(carryOut(intent), over)
    return fork("turn" in intent ? Effect.andThen(done, follow({ type: "attempted", turn: intent.turn })) : done)
  }

  return { follow }
}
