/**
 * Stores threads on disk. For each thread it has the entries and turns of the last fold, and the log since then. It
 * also has the receipts of commands, and the long texts of tool calls. All parts of one step are written in one
 * transaction.
 */
import type { SentDraft } from "@signalbox/contracts/Draft"
import type { CommandId, ItemId, ThreadId, Timestamp, TurnId } from "@signalbox/contracts/Ids"
import type { Sequence } from "@signalbox/contracts/Ids"
import type { Problem } from "@signalbox/contracts/Problem"
import type { ProviderOptions } from "@signalbox/contracts/Provider"
import type { LoggedEvent } from "@signalbox/contracts/ThreadEvent"
import type { ItemView, ThreadHead, ThreadSummary, TurnView } from "@signalbox/contracts/ThreadView"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StorageError } from "./StorageError.ts"

/** The outcome of a command: accepted, with its last event at `sequence`, or refused because of `problem`. */
export interface StoredReceipt {
  readonly commandId: CommandId
  /** A digest that distinguishes the command from another one with the same id. Absent in receipts from before 0.2. */
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

/** A piece of a tool call's long text. Its name derives from its content, so equal pieces are stored once. */
export interface Chunk {
  readonly itemId: ItemId
  readonly name: string
  readonly text: string
}

/** A prompt that was made from the draft of its thread. */
export interface SentPrompt {
  readonly turnId: TurnId
  readonly draft: SentDraft
  readonly at: Timestamp
}

/** One step of one thread. */
export interface ThreadCommit {
  readonly threadId: ThreadId
  /** Pieces of one text are joined already. */
  readonly events: ReadonlyArray<LoggedEvent>
  /** The state after `events`; undefined for a refused command on a missing thread. */
  readonly head: ThreadHead | undefined
  readonly chunks?: ReadonlyArray<Chunk>
  readonly receipt?: StoredReceipt
  /** The draft that is removed with this step. */
  readonly sent?: SentPrompt
  /**
   * The state after `events`, which replaces the log. In a large step, it is smaller than the events, which then leave
   * no rows.
   */
  readonly fold?: ThreadFold
}

/** A thread's state, which replaces its log. */
export interface ThreadFold {
  readonly threadId: ThreadId
  /** Replaces the log up to `head.sequence`. The head's `turns` and `earlier` are not written. */
  readonly head: ThreadHead
  /** The entries that changed since the last fold. */
  readonly items: ReadonlyArray<PlacedItem>
  readonly turns: ReadonlyArray<PlacedTurn>
  /** Turns that were withdrawn since the last fold and left the thread. Their ids can't be used again. */
  readonly withdrawn: ReadonlyArray<TurnId>
}

/**
 * How much of a thread is read: a number of latest turns, and at most a number of entries. `weight` limits the size of
 * the entries, in stored bytes or in characters in memory. A single larger entry is read anyway.
 */
export interface Window {
  readonly turns: number
  readonly items: number
  readonly weight?: number
}

/** A page of folded entries with their turns, oldest first. */
export interface StoredPage {
  readonly items: ReadonlyArray<PlacedItem>
  readonly turns: ReadonlyArray<PlacedTurn>
  /** Whether earlier entries exist. */
  readonly more: boolean
}

/** The latest window of a thread at its last fold, and the events since then. */
export interface StoredThread {
  /** `head.turns` is empty and `head.earlier` absent: turns are in `latest`. Absent for a thread that was never folded. */
  readonly folded?: { readonly head: ThreadHead; readonly latest: StoredPage }
  /** The positions of the next new entry and the next new turn after the fold. */
  readonly nextItem: number
  readonly nextTurn: number
  readonly tail: ReadonlyArray<LoggedEvent>
  readonly providerOptions: ProviderOptions
}

export class ThreadStore extends Context.Service<
  ThreadStore,
  {
    /**
     * Writes steps in one transaction. When it returns, they survive our own crash. Steps with a promise to somebody
     * also survive a power cut: a receipt, a prompt that is handed over, an answer, a stop.
     */
    readonly commit: (commits: ReadonlyArray<ThreadCommit>) => Effect.Effect<void, StorageError>
    /** Replaces the log by the state, in one transaction. */
    readonly fold: (fold: ThreadFold) => Effect.Effect<void, StorageError>
    readonly receipt: (
      threadId: ThreadId,
      commandId: CommandId
    ) => Effect.Effect<StoredReceipt | undefined, StorageError>
    /**
     * Loads a thread; undefined if there is none. `latest` holds all turns that were not over at the fold, even beyond
     * the window.
     */
    readonly load: (threadId: ThreadId, window: Window) => Effect.Effect<StoredThread | undefined, StorageError>
    /** The latest folded entries before position `before`, within the window, and their turns. */
    readonly page: (threadId: ThreadId, before: number, window: Window) => Effect.Effect<StoredPage, StorageError>
    /**
     * The folded entries from position `first` up to, but without, `until`. Only the number of entries and the weight
     * are limited.
     */
    readonly pageFrom: (
      threadId: ThreadId,
      first: number,
      until: number,
      window: Window
    ) => Effect.Effect<StoredPage, StorageError>
    /** The folded entries among those with these ids. */
    readonly items: (
      threadId: ThreadId,
      itemIds: ReadonlyArray<ItemId>
    ) => Effect.Effect<ReadonlyArray<PlacedItem>, StorageError>
    /** The folded turns among those with these ids. */
    readonly turns: (
      threadId: ThreadId,
      turnIds: ReadonlyArray<TurnId>
    ) => Effect.Effect<ReadonlyArray<PlacedTurn>, StorageError>
    /** The texts of the thread's folded prompts, oldest first. */
    readonly prompts: (threadId: ThreadId) => Effect.Effect<ReadonlyArray<string>, StorageError>
    /** Whether the thread ever had this turn, even if it was withdrawn. */
    readonly hasTurn: (threadId: ThreadId, turnId: TurnId) => Effect.Effect<boolean, StorageError>
    /** The text of a chunk of this thread; undefined if there is none. */
    readonly chunk: (threadId: ThreadId, name: string) => Effect.Effect<string | undefined, StorageError>
    /** The list of threads. A damaged row is marked as damaged and affects no other. */
    readonly summaries: Effect.Effect<ReadonlyArray<ThreadSummary>, StorageError>
    /** Threads that the last server left unsettled: with an unfinished turn, an open request, or a running agent. */
    readonly unsettled: Effect.Effect<ReadonlyArray<ThreadId>, StorageError>
    /** Removes everything of a thread, and frees its space. A missing thread counts as removed. */
    readonly remove: (threadId: ThreadId) => Effect.Effect<void, StorageError>
  }
>()("./ThreadStore.ts") {}
