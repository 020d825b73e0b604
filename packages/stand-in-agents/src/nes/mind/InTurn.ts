/** Offers the places of one and the same change in turn: the next one in the file first, then the other files. */
import { lineAround, linesBetween, positionIn } from "./Lines.ts"
import type { Change, Idea, Known, Scene } from "./Scene.ts"

/** How many lines away a place is far, if the window's part of the file is not known. */
const reach = 15
/** How many places are offered at once. */
const most = 6

const isFar = ({ caret, text, visible }: Scene, at: number): boolean =>
  visible ? at < visible.start || at > visible.end : linesBetween(text, caret, at, reach) >= reach

/** The changes from the caret's line on, and then those above it. */
const fromCaret = ({ caret, text }: Scene, changes: ReadonlyArray<Change>): ReadonlyArray<Change> => {
  const line = lineAround(text, caret)
  return [...changes.filter(({ end }) => end >= line.start), ...changes.filter(({ end }) => end < line.start)]
}

/** One change as an edit, or as a jump to it if it is far away. */
const nearOrFar = (scene: Scene, change: Change): Idea => {
  const { kinds, text, uri } = scene
  if (kinds.has("jump") && isFar(scene, change.start)) {
    return { kind: "jump", uri, position: positionIn({ uri, text, firstLine: 0 }, change.start) }
  }
  return { kind: "edit", uri, changes: [change], caret: change.start + change.text.length }
}

/** The ideas for a change that stands in several places. `changesIn`: the places in one text, in order. */
export const inTurn = (scene: Scene, changesIn: (known: Known) => ReadonlyArray<Change>): ReadonlyArray<Idea> => {
  const { kinds, others, text, uri } = scene
  const here = fromCaret(scene, changesIn({ uri, text, firstLine: 0 })).slice(0, most)
  if (here.length > 0) return here.map((change) => nearOrFar(scene, change))
  if (!kinds.has("jump")) return []
  return others.flatMap((other) => {
    const [first] = changesIn(other)
    return first ? [{ kind: "jump" as const, uri: other.uri, position: positionIn(other, first.start) }] : []
  })
}
