/**
 * The log of one thread: takes steps, keeps them, and shows them to those who follow. Text is shown at once and gathered for the
 * disk; everything else is shown when it is kept, together with the text that came before it. All that changes it happens within
 * the lane of its thread.
 */
import { type BootId, type Cursor, type ItemId, Sequence, type ThreadId } from "@signalbox/contracts/Ids"
import { promptWords } from "@signalbox/contracts/Content"
import { isOpen } from "@signalbox/threads/OpenItem"
import { defaultTurnLimit, type ThreadFrame, ThreadUnreadable } from "@signalbox/contracts/Rpc"
import { isTextEnd, isTextPiece } from "@signalbox/contracts/TextEvents"
import type { LoggedEvent, ThreadEvent } from "@signalbox/contracts/ThreadEvent"
import * as ThreadProjection from "@signalbox/threads/ThreadProjection"
import type { ItemView, ThreadHead, ThreadPage, ThreadView } from "@signalbox/contracts/ThreadView"
import { isRunning } from "@signalbox/threads/TurnState"
import * as Effect from "effect/Effect"
import { weightOfLogged } from "../base/EventWeight.ts"
import { cursorAt, positionOf } from "./Cursors.ts"
import { joinLogged } from "./EventJoining.ts"
import type { StorageError } from "../storage/StorageError.ts"
import {
  type Chunk,
  type StoredPage,
  type StoredReceipt,
  type ThreadCommit,
  type ThreadFold,
  ThreadStore,
  type Window
} from "../storage/ThreadStore.ts"
import * as Followers from "./Followers.ts"
import * as PendingEvents from "./PendingEvents.ts"
import * as RecentEvents from "./RecentEvents.ts"
import * as ThreadLoading from "./ThreadLoading.ts"
import * as ThreadState from "./ThreadState.ts"

/** A step that is not taken yet. */
export interface Step {
  /** With the text that was gathered before. */
  readonly commit: ThreadCommit
  /** Makes it the state and tells followers. Only after the commit, and before anything else is staged. */
  readonly adopt: () => void
}

/** A receipt but for the place in the log, which staging knows. */
export type ReceiptOf = Omit<StoredReceipt, "sequence">

export interface ThreadLog {
  /** The state as it is shown; nothing before `thread.created`. */
  readonly head: () => ThreadHead | undefined
  readonly item: (itemId: ItemId) => Effect.Effect<ItemView | undefined, StorageError>
  /** Whether the events are text that can be shown before it is kept. */
  readonly isText: (events: ReadonlyArray<ThreadEvent>) => boolean
  /** Shows text, and keeps it later. */
  readonly gather: (events: ReadonlyArray<ThreadEvent>) => void
  readonly pending: Pick<PendingEvents.PendingEvents, "isEmpty" | "isEnough" | "isTooMuch" | "clear">
  /** Writes what was gathered. */
  readonly flush: Effect.Effect<void, StorageError>
  readonly stage: (
    events: ReadonlyArray<ThreadEvent>,
    more?: { readonly receipt?: ReceiptOf; readonly chunks?: ReadonlyArray<Chunk> }
  ) => Effect.Effect<Step, StorageError>
  /** Whether so much was written since the last fold that it is time for another. */
  readonly isFoldDue: () => boolean
  readonly fold: Effect.Effect<void, StorageError>
  /** Waits until the state is as `holds` says, or the log has ended; at once if it is. */
  readonly until: (holds: (head: ThreadHead) => boolean) => Effect.Effect<void>
  /** See `Threads.watch`; `after` is a place of this run of the server. */
  readonly follow: (
    after: Sequence | undefined,
    turnLimit: number | undefined,
    inLane: <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E>
  ) => ReturnType<Followers.Followers["follow"]>
  /** See `Threads.earlier`. */
  readonly earlier: (before: Cursor, turnLimit: number) => Effect.Effect<ThreadPage, StorageError>
  /** See `Threads.later`. */
  readonly later: (from: Cursor | undefined, until: Cursor) => Effect.Effect<ThreadPage, StorageError>
  /** Prompts in the order in which they were sent, but for that of a turn that goes on. */
  readonly prompts: Effect.Effect<ReadonlyArray<string>, StorageError>
  /** Ends all streams, and all waiting. */
  readonly end: (error: Followers.FollowError) => void
}

/** What is written between two folds: events, and characters in them. */
const foldRows = 4096
const foldWeight = 1024 * 1024

/** Events of a step that is written as the state that it leads to. Growing text of so many UTF-16 units may be rewritten for it. */
const largeStep = 64
const mostRewritten = 16 * 1024

interface Waiter {
  readonly holds: (head: ThreadHead) => boolean
  readonly resume: () => void
}

/** `changed` is told every new state, in the same breath as the followers. */
export const make = (
  threadId: ThreadId,
  state: ThreadState.ThreadState,
  store: ThreadStore["Service"],
  bootId: BootId,
  changed: (head: ThreadHead) => void
): ThreadLog => {
  const { head } = state
  const pending = PendingEvents.make()
  const followers = Followers.make()
  const recent = RecentEvents.make(head()?.sequence ?? 0)
  const waiters = new Set<Waiter>()
  let ended = false
  let rows = 0
  let weight = 0
  let enough = foldWeight

  const numbered = (events: ReadonlyArray<ThreadEvent>): ReadonlyArray<LoggedEvent> => {
    const start = head()?.sequence ?? 0
    return events.map((event, index) => ({ sequence: Sequence.make(start + index + 1), event }))
  }

  const show = (events: ReadonlyArray<LoggedEvent>): void => {
    const now = head()
    if (events.length === 0 || now === undefined) return
    changed(now)
    recent.add(events)
    followers.give(events)
    for (const waiter of waiters) if (waiter.holds(now)) waiter.resume()
  }

  const written = (events: ReadonlyArray<LoggedEvent>): void => {
    pending.clear()
    rows += events.length
    weight += weightOfLogged(events)
  }

  const stage: ThreadLog["stage"] = (events, { chunks, receipt } = {}) =>
    Effect.map(ThreadLoading.recall(store, threadId, state, events), () => {
      const logged = numbered(events)
      const staged = state.stage(logged)
      const fold = foldInstead(events, staged)
      const kept = joinLogged([...pending.joined(), ...logged])
      const sequence = staged.head?.sequence ?? Sequence.make(0)
      return {
        commit: {
          threadId,
          events: kept,
          head: staged.head,
          ...(chunks && chunks.length > 0 && { chunks }),
          ...(fold && { fold }),
          ...(receipt && { receipt: { ...receipt, sequence } })
        },
        adopt: () => {
          staged.adopt()
          if (fold) folded(fold)
          else written(kept)
          show(logged)
        }
      }
    })

  const flush = Effect.suspend(() =>
    ended || pending.isEmpty()
      ? Effect.void
      : Effect.flatMap(stage([]), ({ adopt, commit }) => Effect.andThen(store.commit([commit]), Effect.sync(adopt)))
  ).pipe(Effect.uninterruptible)

  const fold = Effect.suspend(() => {
    // Whoever waited for the lane of a thread that was removed meanwhile must not write it again.
    if (ended) return Effect.void
    // Where it fails, it is tried again when as much has come once more.
    rows = 0
    weight = 0
    return Effect.andThen(flush, writeState)
  }).pipe(Effect.uninterruptible)

  const writeState = Effect.suspend(() => {
    const next = state.fold()
    return next === undefined
      ? Effect.void
      : Effect.andThen(
          store.fold(next),
          Effect.sync(() => folded(next))
        )
  })

  const folded = (fold: ThreadFold): void => {
    pending.clear()
    rows = 0
    weight = 0
    state.folded()
    // A text that still grows is written anew by each fold: the longer it is, the rarer that must be.
    enough = Math.max(foldWeight, growing(fold))
  }

  const until: ThreadLog["until"] = (holds) =>
    Effect.callback((resume) => {
      const now = head()
      if (ended || (now !== undefined && holds(now))) return resume(Effect.void)
      const waiter: Waiter = {
        holds,
        resume: () => {
          waiters.delete(waiter)
          resume(Effect.void)
        }
      }
      waiters.add(waiter)
      return Effect.sync(() => waiters.delete(waiter))
    })

  /** What stands before a position, as it is now. */
  const before = (position: number, page: Window): Effect.Effect<StoredPage, StorageError> =>
    Effect.andThen(state.isDirtyBefore(position) ? fold : Effect.void, store.page(threadId, position, page))

  const snapshotOf = (turnLimit: number): Effect.Effect<ThreadView, StorageError> =>
    Effect.suspend(() => {
      const view = state.latest(turnLimit)
      if (view === undefined) return Effect.die(new Error(`The thread ${threadId} is followed before it was created.`))
      const turns = turnLimit - view.turns.length
      const items = ThreadState.window.items - view.items.length
      if (turnLimit <= defaultTurnLimit || view.earlier === undefined || turns <= 0 || items <= 0)
        return Effect.succeed(view)
      return Effect.map(before(state.begins(), { ...ThreadState.window, turns, items }), (page) =>
        ThreadProjection.withEarlier(view, pageOf(page))
      )
    })

  const follow: ThreadLog["follow"] = (after, turnLimit = defaultTurnLimit, inLane) => {
    const snapshot = inLane(snapshotOf(turnLimit)).pipe(
      Effect.map((view): ThreadFrame => ({ type: "snapshot", bootId, view })),
      Effect.catchTag("StorageError", ({ problem }) => new ThreadUnreadable({ threadId, problem }))
    )
    return followers.follow(after === undefined ? undefined : recent.after(after), snapshot)
  }

  return {
    head,
    item: (itemId) => {
      const item = state.item(itemId)
      return item === undefined
        ? Effect.map(store.items(threadId, [itemId]), ([placed]) => placed?.item)
        : Effect.succeed(item)
    },
    isText: (events) => head() !== undefined && events.every(isOfText) && state.absent(events) === undefined,
    gather: (events) => {
      const logged = numbered(events)
      state.stage(logged).adopt()
      pending.add(logged)
      show(logged)
    },
    pending,
    flush,
    stage,
    isFoldDue: () => rows >= foldRows || weight >= enough,
    fold,
    until,
    follow,
    earlier: (cursor, turnLimit) => {
      const position = positionOf(cursor)
      // A cursor that we never gave out has nothing before it.
      if (position === undefined) return Effect.succeed({ turns: [], items: [] })
      return Effect.map(before(position, { ...ThreadState.window, turns: turnLimit }), pageOf)
    },
    later: (from, until) => {
      const first = from === undefined ? 1 : positionOf(from)
      const behind = positionOf(until)
      if (first === undefined || behind === undefined) return Effect.succeed({ turns: [], items: [] })
      const folded = state.isDirtyBefore(behind) ? fold : Effect.void
      return Effect.map(Effect.andThen(folded, store.pageFrom(threadId, first, behind, ThreadState.window)), (page) => {
        const next = (page.items.at(-1)?.position ?? behind) + 1
        return { ...pageOf(page), ...(next < behind && { later: cursorAt(next) }) }
      })
    },
    prompts: Effect.map(store.prompts(threadId), (folded) => {
      const turns = head()?.turns ?? []
      const going = new Set(turns.filter(({ status }) => isRunning(status)).map(({ turnId }) => turnId))
      const since = state.newPrompts().filter(({ turnId }) => turnId === undefined || !going.has(turnId))
      return [...folded, ...since.map(({ prompt }) => promptWords(prompt))]
    }),
    end: (error) => {
      ended = true
      followers.end(error)
      for (const waiter of waiters) waiter.resume()
    }
  }
}

/** The state after a large step, if that is less to write than the events and, later, the state. */
const foldInstead = (events: ReadonlyArray<ThreadEvent>, staged: ThreadState.Staged): ThreadFold | undefined => {
  if (events.length < largeStep || !events.every(isOfAgent)) return undefined
  const fold = staged.fold()
  return fold && growing(fold) <= mostRewritten ? fold : undefined
}

/** UTF-16 units of the texts in it that are still going on. */
const growing = ({ items }: ThreadFold): number => {
  let length = 0
  for (const { item } of items)
    if ((item.type === "message" || item.type === "thought") && isOpen(item)) length += item.text.length
  return length
}

const isOfAgent = (event: ThreadEvent): boolean => "providerSessionId" in event

/** Pieces of text, and ends of items at which their text goes on in the next one. An end of the text itself is committed at once. */
const isOfText = (event: ThreadEvent): boolean => isTextPiece(event) || (isTextEnd(event) && event.continued === true)

const pageOf = ({ items, more, turns }: StoredPage): ThreadPage => ({
  turns: turns.map(({ turn }) => turn),
  items: items.map(({ item }) => item),
  ...(more && items[0] && { earlier: cursorAt(items[0].position), earlierCount: items[0].position - 1 })
})
