/**
 * What an adapter has seen of a thread: the same fold that makes the thread's state everywhere else, over the events that
 * were emitted. Bounded in items; texts are as long as the transcript.
 */
import { ThreadId, Sequence, type TurnId } from "@signalbox/contracts/Ids"
import type { PromptPart } from "@signalbox/contracts/Content"
import type { ThreadEvent } from "@signalbox/contracts/ThreadEvent"
import * as ThreadProjection from "@signalbox/contracts/ThreadProjection"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import type { StartSession } from "../Services/ProviderAdapter.ts"

/** Items kept at least; the oldest go first, half of twice as many at a time, so that going costs nothing per event. */
const maxItems = 5_000
const maxTurns = 1_000

export interface ThreadRecord {
  readonly append: (events: ReadonlyArray<ThreadEvent>) => void
  /** A prompt was handed over. */
  readonly turn: (turnId: TurnId, prompt: ReadonlyArray<PromptPart>, at: number) => void
  readonly view: () => Pick<ThreadView, "items" | "turns">
}

export const make = (
  { cwd, provider, providerOptions, settings, threadId }: StartSession,
  at: number
): ThreadRecord => {
  let sequence = 0
  let view: ThreadView | undefined

  const append = (events: ReadonlyArray<ThreadEvent>) => {
    if (events.length === 0) return
    const logged = events.map((event) => ({ sequence: Sequence.make(++sequence), event }))
    const next = ThreadProjection.apply(view, logged)
    view =
      next.items.length > 2 * maxItems || next.turns.length > 2 * maxTurns
        ? { ...next, items: next.items.slice(-maxItems), turns: next.turns.slice(-maxTurns) }
        : next
  }

  append([
    {
      type: "thread.created",
      threadId: ThreadId.make(threadId),
      at,
      provider,
      cwd,
      title: "",
      providerOptions,
      settings
    }
  ])
  return {
    append,
    turn: (turnId, prompt, at) =>
      append([
        { type: "turn.queued", threadId, at, turnId, prompt },
        { type: "turn.dispatched", threadId, at, turnId }
      ]),
    view: () => ({ items: view?.items ?? [], turns: view?.turns ?? [] })
  }
}
