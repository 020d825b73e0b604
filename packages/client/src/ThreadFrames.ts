/** Applies the server's frames about a thread to a client's state. Pure. */
import { isOpen } from "@signalbox/threads/OpenItem"
import type { ThreadFrame } from "@signalbox/contracts/ThreadFrame"
import type { LoggedEvent } from "@signalbox/contracts/ThreadEvent"
import * as ThreadProjection from "@signalbox/threads/ThreadProjection"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import { firstGap } from "./Gaps.ts"

export interface Taken {
  /** The state with everything that arrived, even after a gap. */
  readonly view: ThreadView | undefined
  /** The first place in the log that is missing. */
  readonly missing: number | undefined
}

/**
 * Applies the frames of one batch to a state, with all their events in one step. Known events are left out, since a
 * reconnection repeats them.
 */
export const withFrames = (view: ThreadView | undefined, frames: ReadonlyArray<ThreadFrame>): Taken => {
  const lastSnapshot = frames.findLastIndex(({ type }) => type === "snapshot")
  const snapshot = frames[lastSnapshot]
  const base = snapshot?.type === "snapshot" ? withKnown(snapshot.view, view) : view
  const events = frames
    .slice(lastSnapshot + 1)
    .flatMap((frame) => (frame.type === "events" ? frame.events : []))
    .filter(({ sequence }) => sequence > (base?.sequence ?? 0))
  if (events.length === 0) return { view: base, missing: undefined }
  const missing = firstGap(base, events)
  // Without a state, later events of a log can't be applied.
  if (base === undefined && !beginsThread(events)) return { view: undefined, missing: missing ?? 1 }
  return { view: ThreadProjection.apply(base, events), missing }
}

const beginsThread = ([first]: ReadonlyArray<LoggedEvent>): boolean => first?.event.type === "thread.created"

/**
 * Joins a snapshot with the earlier pages that were read, so that the reader's place stays. Only if they meet, and
 * nothing before the snapshot can have changed.
 */
export const withKnown = (snapshot: ThreadView, before: ThreadView | undefined): ThreadView => {
  const first = snapshot.items[0]
  if (before === undefined || first === undefined || snapshot.earlier === undefined) return snapshot
  const meeting = before.items.findIndex(({ itemId }) => itemId === first.itemId)
  const items = before.items.slice(0, Math.max(0, meeting))
  if (items.length === 0 || items.some(isOpen)) return snapshot
  const shown = new Set(items.map(({ turnId }) => turnId))
  return ThreadProjection.withEarlier(snapshot, {
    items,
    turns: before.turns.filter(({ turnId }) => shown.has(turnId)),
    ...(before.earlier !== undefined && { earlier: before.earlier })
  })
}
