/** What is shown of a thread of which pages from before its window are at hand. Pure. */
import type { Cursor } from "@signalbox/contracts/Ids"
import type { Problem } from "@signalbox/contracts/Problem"
import * as ThreadProjection from "@signalbox/threads/ThreadProjection"
import type { ThreadPage, ThreadView } from "@signalbox/contracts/ThreadView"

/** A page and the place behind it. */
export interface Placed {
  readonly page: ThreadPage
  readonly end: Cursor
}

/** Which way the next page lies. */
export type Direction = "beginning" | "earlier" | "later"

export interface Pages {
  /** Oldest first; each begins where the one before it ends. */
  readonly placed: ReadonlyArray<Placed>
  readonly reading?: Direction
  readonly failed?: { readonly direction: Direction; readonly problem: Problem }
  /** How often people went to the beginning: they see it from there each time. */
  readonly jumps: number
}

/** What is to be shown of a thread, and whether something of it stands between that and its end. */
export interface Shown {
  readonly view: ThreadView
  readonly apart: boolean
}

/** The window with the pages in front of it, or these alone where they do not reach it. Pure. */
export const withPages = (view: ThreadView, { placed }: Pages): Shown => {
  if (placed.length === 0 || view.earlier === undefined) return { view, apart: false }
  const joined = placed.at(-1)?.end === view.earlier
  if (joined)
    return {
      view: placed.reduceRight((shown, { page }) => ThreadProjection.withEarlier(shown, page), view),
      apart: false
    }
  // Nothing is asked, planned or under way in what lies behind.
  const empty: ThreadView = { ...view, items: [], turns: [], requests: [], plan: [] }
  return {
    view: placed.reduceRight((shown, { page }) => ThreadProjection.withEarlier(shown, page), empty),
    apart: true
  }
}
