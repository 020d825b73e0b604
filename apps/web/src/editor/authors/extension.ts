/** Who wrote which lines of one file: kept, drawn, seen, and gone through. */
import type { Extension } from "@codemirror/state"
import { keymap } from "@codemirror/view"
import { authored, markedPath } from "./authorMarks.ts"
import { others } from "./disk.ts"
import { authorLabels } from "./drawing.ts"
import { goToNext, othersIn, placeKeys } from "./places.ts"
import { seenLines } from "./seenLines.ts"

export const marksFor = (path: string): Extension => [
  markedPath.of(path),
  authored,
  others.of({ words: othersIn, marks: (state) => state.field(authored).marks, goToNext }),
  keymap.of(placeKeys),
  authorLabels,
  seenLines
]
