/** One thread as its owner sees it: all of it in memory, and what of it is to be written next. What the store is held against. */
import type { ItemId, TurnId } from "@signalbox/contracts/Ids"
import type { ThreadId } from "@signalbox/contracts/Ids"
import type { ThreadEvent } from "@signalbox/contracts/ThreadEvent"
import * as ThreadProjection from "@signalbox/threads/ThreadProjection"
import type { ItemView, ThreadView, TurnView } from "@signalbox/contracts/ThreadView"
import { joinLogged } from "../../src/orchestration/EventJoining.ts"
import type { StoredThread, ThreadCommit, ThreadFold, Window } from "../../src/storage/ThreadStore.ts"
import { logged } from "./ThreadEvents.ts"

/** More than any test writes. */
export const everything: Window = { turns: 1_000_000, items: 1_000_000 }

export class ThreadRecord {
  readonly threadId: ThreadId
  view: ThreadView | undefined
  /** The items and turns of the last fold. */
  readonly #items = new Map<ItemId, ItemView>()
  readonly #turns = new Map<TurnId, TurnView>()
  readonly #turnPositions = new Map<TurnId, number>()
  #withdrawn: Array<TurnId> = []

  constructor(threadId: ThreadId) {
    this.threadId = threadId
  }

  /** The thread after `events`, and how that is written. */
  step(events: ReadonlyArray<ThreadEvent>, more: Partial<ThreadCommit> = {}): ThreadCommit {
    const log = logged(this.view?.sequence ?? 0, events)
    if (log.length > 0) this.view = ThreadProjection.apply(this.view, log)
    for (const { turnId } of this.view?.turns ?? [])
      if (!this.#turnPositions.has(turnId)) this.#turnPositions.set(turnId, this.#turnPositions.size + 1)
    for (const event of events)
      if (event.type === "turn.withdrawn" && !this.view?.turns.some(({ turnId }) => turnId === event.turnId))
        this.#withdrawn.push(event.turnId)
    return { threadId: this.threadId, events: joinLogged(log), head: this.view, ...more }
  }

  /** What changed since the last fold. */
  fold(): ThreadFold {
    const { items, ...head } = this.#required()
    const placedItems = items.map((item, index) => ({ position: index + 1, item }))
    const turns = head.turns.map((turn) => {
      const first = placedItems.find(({ item }) => item.turnId === turn.turnId)
      return { position: this.#turnPositions.get(turn.turnId)!, turn, ...(first && { firstItem: first.position }) }
    })
    const withdrawn = this.#withdrawn
    const fold: ThreadFold = {
      threadId: this.threadId,
      head,
      items: placedItems.filter(({ item }) => this.#items.get(item.itemId) !== item),
      turns: turns.filter(({ turn }) => this.#turns.get(turn.turnId) !== turn),
      withdrawn
    }
    this.#withdrawn = []
    for (const { item } of fold.items) this.#items.set(item.itemId, item)
    for (const { turn } of fold.turns) this.#turns.set(turn.turnId, turn)
    return fold
  }

  #required(): ThreadView {
    if (this.view === undefined) throw new Error("The thread is not created yet.")
    return this.view
  }
}

/** The thread that a store gave, as far as it gave it. */
export const viewOf = ({ folded, tail }: StoredThread): ThreadView => {
  const view = folded && {
    ...folded.head,
    turns: folded.latest.turns.map(({ turn }) => turn),
    items: folded.latest.items.map(({ item }) => item)
  }
  return view !== undefined && tail.length === 0 ? view : ThreadProjection.apply(view, tail)
}
