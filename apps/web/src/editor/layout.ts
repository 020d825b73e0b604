/** How the editor shares its place with the transcript, as people chose it in this browser. */
import { makeStore } from "../browser/Store.ts"

export interface Layout {
  /** Whether the tree of files stands beside the text. */
  readonly tree: boolean
  /** Whether the transcript stands beside the editor, where there is room. */
  readonly split: boolean
  /** The width of the transcript, in pixels. */
  readonly transcript: number
}

export const narrowest = 320
export const widest = 1200
/** The least that is left to the editor. */
const leastEditor = 480

const key = "signalbox.editor"
export const defaults: Layout = { tree: true, split: true, transcript: 424 }

/** A width that the transcript may have. `room`: the width of both, where that is known. */
export const widthOf = (wanted: number, room = widest + leastEditor): number =>
  Math.round(Math.max(narrowest, Math.min(wanted, widest, room - leastEditor)))

/** What was stored; anything that isn't ours counts as nothing. */
export const layoutOf = (stored: string | null): Layout => {
  try {
    const found: unknown = JSON.parse(stored ?? "{}")
    if (typeof found !== "object" || found === null) return defaults
    return {
      tree: !("tree" in found && found.tree === false),
      split: !("split" in found && found.split === false),
      transcript:
        "transcript" in found && typeof found.transcript === "number" && Number.isFinite(found.transcript)
          ? widthOf(found.transcript)
          : defaults.transcript
    }
  } catch {
    return defaults
  }
}

const read = (): Layout => {
  try {
    return layoutOf(localStorage.getItem(key))
  } catch {
    return defaults
  }
}

export const layout = makeStore<Layout>(read())

export const lay = (change: Partial<Layout>): void => {
  layout.set({ ...layout.get(), ...change })
  try {
    localStorage.setItem(key, JSON.stringify(layout.get()))
  } catch {
    // A browser that keeps nothing: the choice holds until the page is closed.
  }
}
