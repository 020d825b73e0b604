/** How what the server sends about a thread becomes its state in the page. Pure. */
import type { ThreadFrame } from "@signalbox/contracts/Rpc"
import * as ThreadProjection from "@signalbox/contracts/ThreadProjection"
import type { ThreadView } from "@signalbox/contracts/ThreadView"

/**
 * The state after the frames of one batch; the events of all of them are applied in one go. What is known already is left out,
 * as it comes again after a reconnection; what is missing is a defect, since everything after it would be wrong.
 */
export const withFrames = (
  view: ThreadView | undefined,
  frames: ReadonlyArray<ThreadFrame>
): ThreadView | undefined => {
  const lastSnapshot = frames.findLastIndex(({ type }) => type === "snapshot")
  const snapshot = frames[lastSnapshot]
  const base = snapshot?.type === "snapshot" ? snapshot.view : view
  const known = base?.sequence ?? 0
  const events = frames
    .slice(lastSnapshot + 1)
    .flatMap((frame) => (frame.type === "events" ? frame.events : []))
    .filter(({ sequence }) => sequence > known)
  const gap = events.findIndex(({ sequence }, index) => sequence !== known + index + 1)
  if (gap !== -1) throw new RangeError(`Event ${known + gap + 1} of this thread is missing.`)
  return events.length === 0 ? base : ThreadProjection.apply(base, events)
}
