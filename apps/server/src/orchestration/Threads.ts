/**
 * The threads of this server: commands in, state and events out. Whoever hosts the thread actor, on this machine or on many,
 * provides this service; one contract test holds for all hosts.
 */
import type { CommandEnvelope, CommandRejected, Receipt } from "@signalbox/contracts/Command"
import type { Sequence, ThreadId } from "@signalbox/contracts/Ids"
import type { ThreadFrame, ThreadNotFound, ThreadsFrame } from "@signalbox/contracts/Rpc"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"

export class Threads extends Context.Service<
  Threads,
  {
    /** Takes a command once: its events are committed when this returns. The same command id again gives the same receipt or rejection. */
    readonly send: (envelope: CommandEnvelope) => Effect.Effect<Receipt, CommandRejected>
    /** One thread's state and then its events, without gap or repeat; from `after` on, where given and still in reach. */
    readonly watch: (threadId: ThreadId, after?: Sequence) => Stream.Stream<ThreadFrame, ThreadNotFound>
    /** The list of all threads, and its rows as they change. */
    readonly watchAll: Stream.Stream<ThreadsFrame>
  }
>()("@signalbox/server/orchestration/Threads") {}
