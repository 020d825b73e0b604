/** What clients that follow threads get, frame by frame. */
import * as Schema from "effect/Schema"
import { BootId, Sequence, ThreadId } from "./Ids.ts"
import { LoggedEvent } from "./ThreadEvent.ts"
import { ThreadSummary, ThreadView } from "./ThreadView.ts"

/** The list of threads: first all rows, then each changed row and the ids of deleted threads. */
export const ThreadsFrame = Schema.Union([
  Schema.Struct({ type: Schema.tag("snapshot"), threads: Schema.Array(ThreadSummary) }),
  Schema.Struct({
    type: Schema.tag("changed"),
    threads: Schema.Array(ThreadSummary),
    removed: Schema.optionalKey(Schema.Array(ThreadId))
  })
])
export type ThreadsFrame = typeof ThreadsFrame.Type

/**
 * A client's place in a thread. Text is shown before it is on the disk, so places count only for one run of the server.
 * After a crash, the next run may use the same place for something else.
 */
export const ThreadPosition = Schema.Struct({ bootId: BootId, sequence: Sequence })
export type ThreadPosition = typeof ThreadPosition.Type

/**
 * One thread: the latest window of its state, then its events in order without a gap. If `after` is within reach of the
 * log, only events. A client that is too slow for the events gets the state again.
 */
export const ThreadFrame = Schema.Union([
  Schema.Struct({ type: Schema.tag("snapshot"), bootId: BootId, view: ThreadView }),
  Schema.Struct({ type: Schema.tag("events"), events: Schema.Array(LoggedEvent) })
])
export type ThreadFrame = typeof ThreadFrame.Type
