/** The line that the shown suggestion leads to, in the strip beside the text. */
import { type EditorState, type Extension, StateField } from "@codemirror/state"
import { type StripPlace, stripPlaces } from "../strip/strip.ts"
import { isNear, lineOf, shownIn } from "./offer.ts"

const lineIn = (state: EditorState): number | undefined => {
  const shown = shownIn(state)
  if (shown === undefined || (shown.type === "edit" && isNear(state, shown))) return undefined
  return lineOf(state, shown)
}

const places = StateField.define<ReadonlyArray<StripPlace>>({
  create: () => [],
  update: (before, { state }) => {
    const line = lineIn(state)
    if (before[0]?.first === line) return before
    return line === undefined ? [] : [{ first: line, last: line, kind: "target" }]
  }
})

export const target: Extension = [places, stripPlaces.of((state) => state.field(places))]
