/** One thread in a client: followed over reconnections, and requested again if an event is missing. */
import type { BootId, ThreadId } from "@signalbox/contracts/Ids"
import type { Problem } from "@signalbox/contracts/Problem"
import type { ThreadFrame, ThreadPosition } from "@signalbox/contracts/ThreadFrame"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import * as Effect from "effect/Effect"
import type { Follow } from "./Following.ts"
import { withFrames } from "./ThreadFrames.ts"

/** `missing`: the server has no such thread. `unreadable`: it has the thread, and can't read its record. */
export type Watched =
  | { readonly state: "loading" }
  | {
      readonly state: "here"
      readonly view: ThreadView
      readonly bootId: BootId
      /** A place in the log that is missing even after the thread was requested again. */
      readonly torn?: number
    }
  | { readonly state: "missing" }
  | { readonly state: "unreadable"; readonly problem: Problem }

/** The holder of the thread's state in the client. */
export interface Held {
  readonly get: () => Watched
  readonly set: (watched: Watched) => void
}

/** Milliseconds between two requests for a thread with a gap. */
const distrustFor = 60_000

export const hereOf = (watched: Watched) => (watched.state === "here" ? watched : undefined)

/** The known place in the thread, and the run of the server that it counts for. */
const positionOf = (watched: Watched): ThreadPosition | undefined =>
  watched.state === "here" ? { bootId: watched.bootId, sequence: watched.view.sequence } : undefined

/** Follows a thread permanently. `now`: milliseconds. `shorter`: replaces the state by the thread's latest window. */
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
