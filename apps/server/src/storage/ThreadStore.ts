/**
 * Threads on disk. Of each thread: its entries and turns as they stood at the last fold, and the log since then. It also has the receipts of
 * its commands, and the long texts of its tool calls. Everything that belongs to one step is written in one transaction, or not at all.
 */
import type { CommandId, ItemId, ThreadId, Timestamp, TurnId } from "@signalbox/contracts/Ids"
import type { Sequence } from "@signalbox/contracts/Ids"
import type { Problem } from "@signalbox/contracts/Problem"
import type { ProviderOptions } from "@signalbox/contracts/Provider"
import type { LoggedEvent } from "@signalbox/contracts/ThreadEvent"
import type { ItemView, ThreadHead, ThreadSummary, TurnView } from "@signalbox/contracts/ThreadView"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StorageError } from "./StorageError.ts"

/** What became of a command: taken up to `sequence`, or refused because of `problem`. */
export interface StoredReceipt {
  readonly commandId: CommandId
  /** Tells the command from another one under the same id. Absent in receipts of before 0.2. */
  readonly digest?: string
  readonly sequence: Sequence
  readonly problem?: Problem
  readonly at: Timestamp
}

/** An entry at its place in the transcript: 1, 2, 3 … in the order of first appearance. It never changes. */
export interface PlacedItem {
  readonly position: number
  readonly item: ItemView
}

/** A turn with its position among the turns of its thread, counted from 1. `firstItem`: the position of its first entry. */
export interface PlacedTurn {
  readonly position: number
  readonly firstItem?: number
  readonly turn: TurnView
}

/** A piece of a long text of one tool call, named after what it holds: pieces of the same text are kept once. */
export interface Chunk {
  readonly itemId: ItemId
  readonly name: string
  readonly text: string
}

/** One step of one thread. */
export interface ThreadCommit {
  readonly threadId: ThreadId
  /** Pieces of one text joined already. */
  readonly events: ReadonlyArray<LoggedEvent>
  /** The state after `events`; absent for a refused command on a thread that is not there. */
  readonly head: ThreadHead | undefined
  readonly chunks?: ReadonlyArray<Chunk>
  readonly receipt?: StoredReceipt
  /** The state after `events` in the place of the log: of a large step it is less to write than the events, which leave no rows. */
  readonly fold?: ThreadFold
}

/** A thread's state in the place of the log that led to it. */
export interface ThreadFold {
  readonly threadId: ThreadId
  /** All of the log up to `head.sequence` is replaced; `turns` and `earlier` of it are not written. */
  readonly head: ThreadHead
  /** Those that changed since the last fold. */
  readonly items: ReadonlyArray<PlacedItem>
  readonly turns: ReadonlyArray<PlacedTurn>
  /** Turns that were taken back since the last fold, and left the thread. Their ids stay used. */
  readonly withdrawn: ReadonlyArray<TurnId>
}

/**
 * How much of a thread is read: its latest turns, and no more than so many entries. `weight` bounds the size of these together, in
 * bytes as they are stored or characters in memory; an entry that is larger by itself is read all the same.
 */
export interface Window {
  readonly turns: number
  readonly items: number
  readonly weight?: number
}

/** A stretch of a thread as it was folded, oldest first. */
export interface StoredPage {
  readonly items: ReadonlyArray<PlacedItem>
  readonly turns: ReadonlyArray<PlacedTurn>
  /** Whether there are entries before the first one here. */
  readonly more: boolean
}

/** The latest window of a thread, as of its last fold, and what happened since. */
export interface StoredThread {
  /** `head.turns` is empty and `head.earlier` absent: turns are in `latest`. Absent for a thread that was never folded. */
  readonly folded?: { readonly head: ThreadHead; readonly latest: StoredPage }
  /** The positions that the next entry and the next turn get after the fold. */
  readonly nextItem: number
  readonly nextTurn: number
  readonly tail: ReadonlyArray<LoggedEvent>
  readonly providerOptions: ProviderOptions
}

export class ThreadStore extends Context.Service<
  ThreadStore,
  {
    /**
     * Durable when it returns, all in one transaction. Steps that somebody was promised something about also survive a power cut: a receipt,
     * a prompt that is handed over, an answer, a stop; the others survive our own crash.
     */
    readonly commit: (commits: ReadonlyArray<ThreadCommit>) => Effect.Effect<void, StorageError>
    /** Puts the state in the place of the log, in one transaction. */
    readonly fold: (fold: ThreadFold) => Effect.Effect<void, StorageError>
    readonly receipt: (
      threadId: ThreadId,
      commandId: CommandId
    ) => Effect.Effect<StoredReceipt | undefined, StorageError>
    /** Nothing where there is no such thread. `latest` holds all turns that were not over at the fold, even beyond the window. */
    readonly load: (threadId: ThreadId, window: Window) => Effect.Effect<StoredThread | undefined, StorageError>
    /** What was folded before the entry at `before`, the latest of it: at most so many turns and entries, and the turns of those. */
    readonly page: (threadId: ThreadId, before: number, window: Window) => Effect.Effect<StoredPage, StorageError>
    /** What was folded from the entry at `first` up to the one at `until`, without that. Bounded by entries and weight only. */
    readonly pageFrom: (
      threadId: ThreadId,
      first: number,
      until: number,
      window: Window
    ) => Effect.Effect<StoredPage, StorageError>
    /** Those of the entries that were folded. */
    readonly items: (
      threadId: ThreadId,
      itemIds: ReadonlyArray<ItemId>
    ) => Effect.Effect<ReadonlyArray<PlacedItem>, StorageError>
    /** Those of the turns that were folded. */
    readonly turns: (
      threadId: ThreadId,
      turnIds: ReadonlyArray<TurnId>
    ) => Effect.Effect<ReadonlyArray<PlacedTurn>, StorageError>
    /** What people said in the thread as far as it is folded, oldest first: the texts of its prompts. */
    readonly prompts: (threadId: ThreadId) => Effect.Effect<ReadonlyArray<string>, StorageError>
    /** Whether the thread ever had this turn, even one that was taken back. */
    readonly hasTurn: (threadId: ThreadId, turnId: TurnId) => Effect.Effect<boolean, StorageError>
    /** The text of a chunk that this thread holds; nothing where there is none. */
    readonly chunk: (threadId: ThreadId, name: string) => Effect.Effect<string | undefined, StorageError>
    /** A row that is damaged is told as such, and harms no other. */
    readonly summaries: Effect.Effect<ReadonlyArray<ThreadSummary>, StorageError>
    /** Threads that a server left with something to settle: a turn without an end, an open request, an agent that was running. */
    readonly unsettled: Effect.Effect<ReadonlyArray<ThreadId>, StorageError>
    /** Removes all that is kept of the thread, and gives the room back. A thread that is not there is removed already. */
    readonly remove: (threadId: ThreadId) => Effect.Effect<void, StorageError>
  }
>()("./ThreadStore.ts") {}
