/**
 * The threads of this server: commands in, state and events out. Whoever hosts the thread actor, on this machine or on many,
 * provides this service; one contract test holds for all hosts.
 */
import type { AnsweringClient } from "@signalbox/contracts/AgentRequest"
import type { CommandEnvelope, CommandRejected, Receipt } from "@signalbox/contracts/Command"
import type { BootId, Cursor, ItemId, Sequence, ThreadId } from "@signalbox/contracts/Ids"
import type { ThreadFrame, ThreadPosition, ThreadsFrame } from "@signalbox/contracts/ThreadFrame"
import type { OutputNotFound, ThreadChanged, ThreadNotFound, ThreadUnreadable } from "@signalbox/contracts/ThreadErrors"
import type { ThreadPage } from "@signalbox/contracts/ThreadView"
import type { RequestsFrame } from "@signalbox/contracts/Waiting"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"

export class Threads extends Context.Service<
  Threads,
  {
    readonly bootId: BootId
    /** How many threads are in memory. */
    readonly inMemory: Effect.Effect<number>
    /**
     * Takes a command once: its events are committed when this returns. The same command id again gives the same receipt or rejection.
     * `client` goes on record with an answer.
     */
    readonly send: (envelope: CommandEnvelope, client?: AnsweringClient) => Effect.Effect<Receipt, CommandRejected>
    /** One thread's state and then its events, without gap or repeat; from `after` on, where given and still in reach. */
    readonly watch: (
      threadId: ThreadId,
      options?: { readonly after?: ThreadPosition; readonly turnLimit?: number }
    ) => Stream.Stream<ThreadFrame, ThreadNotFound | ThreadUnreadable>
    /** The list of all threads, and its rows as they change. */
    readonly watchAll: Stream.Stream<ThreadsFrame>
    /** The open requests of all threads, and those of a thread as they change. */
    readonly watchRequests: Stream.Stream<RequestsFrame>
    /** What stands before a window. */
    readonly earlier: (
      threadId: ThreadId,
      before: Cursor,
      turnLimit?: number
    ) => Effect.Effect<ThreadPage, ThreadNotFound | ThreadUnreadable>
    /** Entries from a place on, or from the first one, up to those that begin at `until`: a bounded page of them. */
    readonly later: (
      threadId: ThreadId,
      from: Cursor | undefined,
      until: Cursor
    ) => Effect.Effect<ThreadPage, ThreadNotFound | ThreadUnreadable>
    /** A long text of a tool call, in pieces. */
    readonly output: (
      threadId: ThreadId,
      itemId: ItemId,
      part: string
    ) => Stream.Stream<string, ThreadNotFound | ThreadUnreadable | OutputNotFound>
    /** The whole thread as lines of JSON. */
    readonly export: (threadId: ThreadId) => Stream.Stream<string, ThreadNotFound | ThreadUnreadable>
    /** Ends the thread's agent and removes all that is kept of it, unless something happened after `ifSequence`. */
    readonly remove: (
      threadId: ThreadId,
      ifSequence?: Sequence
    ) => Effect.Effect<void, ThreadUnreadable | ThreadChanged>
  }
>()("@signalbox/server/orchestration/Threads") {}
