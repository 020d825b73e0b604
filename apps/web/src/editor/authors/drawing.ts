/** Draws who wrote which lines: a mark at the left edge, and a label at the right of the first line. */
import { type EditorState, type Extension, RangeSet, StateField } from "@codemirror/state"
import { EditorView, gutter, GutterMarker } from "@codemirror/view"
import { type StripPlace, stripPlaces } from "../strip/strip.ts"
import type { Author } from "./Author.ts"
import { authored, runsOf } from "./authorMarks.ts"
import { ownLines } from "./disk.ts"

const svg = "http://www.w3.org/2000/svg"

/** The lamp of one who works, as elsewhere in the page. */
const lamp = (): SVGElement => {
  const made = document.createElementNS(svg, "svg")
  made.setAttribute("viewBox", "0 0 14 14")
  made.dataset["lamp"] = "working"
  for (const [name, radius] of [
    ["cm-byDisc", "3.7"],
    ["cm-byHalo", "6"]
  ] as const) {
    const circle = made.appendChild(document.createElementNS(svg, "circle"))
    circle.setAttribute("cx", "7")
    circle.setAttribute("cy", "7")
    circle.setAttribute("r", radius)
    circle.classList.add(name)
  }
  return made
}

class Label extends GutterMarker {
  readonly words: string
  readonly evidence: string
  readonly kind: "writing" | "wrote" | "own"
  constructor(words: string, evidence: string, kind: Label["kind"]) {
    super()
    this.words = words
    this.evidence = evidence
    this.kind = kind
  }
  override eq(other: Label) {
    return other.words === this.words && other.evidence === this.evidence && other.kind === this.kind
  }
  override toDOM() {
    const made = document.createElement("span")
    made.className = `cm-by cm-by-is-${this.kind}`
    made.title = this.evidence
    made.append(...(this.kind === "writing" ? [lamp()] : []), this.words)
    return made
  }
}

const labelOf = ({ by, evidence, isWriting, label }: Author): Label =>
  new Label(label, evidence, isWriting && by === "agent" ? "writing" : "wrote")

const own = new Label("You, unsaved", "You changed these lines. They are not on the disk yet.", "own")

const labelsOf = (state: EditorState): RangeSet<GutterMarker> => {
  const runs = runsOf(state)
  const others = runs.map(({ author, first }) => labelOf(author).range(state.doc.line(first).from))
  if (others.length === 0) return RangeSet.empty
  const marked = new Set(runs.map(({ first }) => first))
  const mine = state
    .facet(ownLines)
    .flatMap((lines) => lines(state))
    .flatMap((line) => (marked.has(line) ? [] : [own.range(state.doc.line(line).from)]))
  return RangeSet.of([...others, ...mine], true)
}

const labels = StateField.define<RangeSet<GutterMarker>>({
  create: labelsOf,
  update: (before, { docChanged, startState, state }) => {
    const isEmpty = before.size === 0 && state.field(authored).marks.size === 0
    const isSame = !docChanged && startState.field(authored, false) === state.field(authored)
    return isEmpty || isSame ? before : labelsOf(state)
  }
})

const placesOf = (state: EditorState): ReadonlyArray<StripPlace> =>
  runsOf(state).map(({ author: { by, isWriting }, first, last }) => ({
    first,
    last,
    kind: isWriting && by === "agent" ? "writing" : "others"
  }))

const look = EditorView.theme({
  ".cm-by-agent": { borderLeft: "2px solid var(--edge)" },
  ".cm-byWriting": { borderLeft: "2px solid var(--green)" },
  // It is not known that the agent wrote them: the edge is broken.
  ".cm-by-during, .cm-by-unknown": { borderLeft: "2px dotted var(--edge)" },
  ".cm-gutters.cm-gutters-after": { backgroundColor: "transparent", border: "none" },
  ".cm-gutter.cm-authorGutter": { width: "0", overflow: "visible" },
  ".cm-authorGutter .cm-gutterElement": { position: "relative" },
  ".cm-by": {
    position: "absolute",
    right: "14px",
    display: "inline-flex",
    alignItems: "center",
    gap: "6px",
    padding: "0 4px 0 12px",
    backgroundColor: "var(--card)",
    color: "var(--ink3)",
    font: "400 var(--t-11) / calc(19 / 11) var(--sans)",
    fontVariantNumeric: "tabular-nums",
    whiteSpace: "nowrap"
  },
  ".cm-by-is-writing": { color: "var(--green)", fontWeight: "600" },
  ".cm-by svg": { width: "12px", height: "12px" },
  ".cm-byDisc": { fill: "var(--green)" },
  ".cm-byHalo": { fill: "none", stroke: "var(--green)", strokeWidth: "1.2", opacity: "0.6" },
  "@media (max-width: 640px)": { ".cm-by-is-wrote, .cm-by-is-own": { display: "none" } }
})

const places = StateField.define<ReadonlyArray<StripPlace>>({
  create: placesOf,
  update: (before, { docChanged, startState, state }) => {
    const isEmpty = before.length === 0 && state.field(authored).marks.size === 0
    const isSame = !docChanged && startState.field(authored, false) === state.field(authored)
    return isEmpty || isSame ? before : placesOf(state)
  }
})

/** The labels, and the places in the strip. The marks at the left edge are drawn with those of unsaved lines. */
export const authorLabels: Extension = [
  labels,
  places,
  stripPlaces.of((state) => state.field(places)),
  gutter({ class: "cm-authorGutter", side: "after", markers: (view) => view.state.field(labels) }),
  look
]
