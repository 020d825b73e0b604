/** One thread as a client knows it: followed over reconnections, and asked for anew when something is missing. */
import type { BootId, ThreadId } from "@signalbox/contracts/Ids"
import type { Problem } from "@signalbox/contracts/Problem"
import type { ThreadFrame, ThreadPosition } from "@signalbox/contracts/Rpc"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import * as Effect from "effect/Effect"
import type { Follow } from "./Following.ts"
import { withFrames } from "./ThreadFrames.ts"

/** `missing`: the server has no such thread. `unreadable`: it has one, and can't read what it kept of it. */
export type Watched =
  | { readonly state: "loading" }
  | {
      readonly state: "here"
      readonly view: ThreadView
      readonly bootId: BootId
      /** A place in the log that did not come, not even when the thread was asked for anew. */
      readonly torn?: number
    }
  | { readonly state: "missing" }
  | { readonly state: "unreadable"; readonly problem: Problem }

/** The place that keeps what is known of the thread. */
export interface Held {
  readonly get: () => Watched
  readonly set: (watched: Watched) => void
}

/** A thread with a gap is asked for anew, but not more often than this, milliseconds. */
const distrustFor = 60_000

export const hereOf = (watched: Watched) => (watched.state === "here" ? watched : undefined)

/** How far the thread is known, and from which run of the server. */
const positionOf = (watched: Watched): ThreadPosition | undefined =>
  watched.state === "here" ? { bootId: watched.bootId, sequence: watched.view.sequence } : undefined

/** Follows a thread for good. `now`: milliseconds. `shorter`: what is known is given up for the thread's latest window. */
export const follow = (
  threadId: ThreadId,
  held: Held,
  {
    following,
    now,
    shorter = false
  }: { readonly following: Follow; readonly now: () => number; readonly shorter?: boolean }
): Effect.Effect<void> => {
  let distrustedAt: number | undefined
  let anew = shorter
  let givingUp = shorter
  const take = (frames: ReadonlyArray<ThreadFrame>): "again" | void => {
    const before = hereOf(held.get())
    const { missing, view } = withFrames(givingUp ? undefined : before?.view, frames)
    givingUp = false
    const bootId = frames.findLast((frame) => frame.type === "snapshot")?.bootId ?? before?.bootId
    if (missing !== undefined && (distrustedAt === undefined || now() - distrustedAt > distrustFor)) {
      distrustedAt = now()
      anew = true
      return "again"
    }
    const torn = missing ?? (frames.some(({ type }) => type === "snapshot") ? undefined : before?.torn)
    if (view && bootId !== undefined) held.set({ state: "here", view, bootId, ...(torn !== undefined && { torn }) })
  }
  return following((client) => {
    const after = anew ? undefined : positionOf(held.get())
    anew = false
    return client.watchThread({ threadId, ...(after && { after }) })
  }, take).pipe(
    Effect.catchTags({
      ThreadNotFound: () => Effect.sync(() => held.set({ state: "missing" })),
      ThreadUnreadable: ({ problem }) => Effect.sync(() => held.set({ state: "unreadable", problem }))
    })
  )
}
