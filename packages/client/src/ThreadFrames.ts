/** How what the server sends about a thread becomes its state in a client. Pure. */
import { isOpen } from "@signalbox/threads/OpenItem"
import type { ThreadFrame } from "@signalbox/contracts/Rpc"
import type { LoggedEvent } from "@signalbox/contracts/ThreadEvent"
import * as ThreadProjection from "@signalbox/threads/ThreadProjection"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import { firstGap } from "./Gaps.ts"

export interface Taken {
  /** The state with everything that came, also across a gap. */
  readonly view: ThreadView | undefined
  /** The first place in the log that should have come and didn't. */
  readonly missing: number | undefined
}

/**
 * The state after the frames of one batch; the events of all of them are applied in one go. What is known already is left out,
 * as it comes again after a reconnection.
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
  // Without a state there is nothing that the rest of a log could be applied to.
  if (base === undefined && !beginsThread(events)) return { view: undefined, missing: missing ?? 1 }
  return { view: ThreadProjection.apply(base, events), missing }
}

const beginsThread = ([first]: ReadonlyArray<LoggedEvent>): boolean => first?.event.type === "thread.created"

/**
 * A snapshot with the pages in front of it that were read before. So nobody loses the place at which they read. Only where the two meet, and
 * where nothing in front of the snapshot can have changed since.
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
