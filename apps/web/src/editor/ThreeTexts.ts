/** Three texts in columns: what both sides made of the base stands beside it, line by line. Nothing can be changed. */
import { presentableDiff } from "@codemirror/merge"
import { EditorState, type Extension, type Range, type Text } from "@codemirror/state"
import { Decoration, EditorView, lineNumbers, WidgetType } from "@codemirror/view"
import { count } from "../words/figures.ts"
import { type Lines, type Region, regionsOf, type Side, sides } from "./regions.ts"

/** Unchanged lines that are shown around a change, and how many more there are before they are left out. */
const margin = 3
const least = 6

/** Keeps the room of lines that other columns have. */
class Room extends WidgetType {
  private readonly lines: number
  constructor(lines: number) {
    super()
    this.lines = lines
  }
  override eq(other: Room) {
    return other.lines === this.lines
  }
  override toDOM() {
    const element = document.createElement("div")
    element.className = "cm-room"
    element.style.height = `${this.lines}lh`
    return element
  }
}

/** Stands for lines that are the same in all columns. */
class LeftOut extends WidgetType {
  private readonly lines: number
  constructor(lines: number) {
    super()
    this.lines = lines
  }
  override eq(other: LeftOut) {
    return other.lines === this.lines
  }
  override toDOM() {
    const element = document.createElement("div")
    element.className = "cm-collapsedLines"
    element.textContent = count(this.lines, "unchanged line")
    return element
  }
}

const shape = EditorView.theme({
  ".cm-content": { paddingBottom: "4px" },
  ".cm-room": { backgroundColor: "var(--well)" },
  ".cm-collapsedLines": { height: "1lh", padding: "0 6px", overflow: "hidden" },
  ".cm-wasLine": { backgroundColor: "var(--red-tint)" },
  ".cm-nowLine": { backgroundColor: "var(--green-tint)" },
  ".cm-wasText": { background: "var(--red-tint2)", textDecoration: "line-through 1px" },
  ".cm-nowText": { background: "var(--green-tint2)" },
  ".cm-clashLine": { borderLeft: "3px solid var(--amber-lamp)", paddingLeft: "3px" }
})

type Marks = Array<Range<Decoration>>

const lineMark = (className: string) => Decoration.line({ class: className })

/** Gives the lines of a place one look, and the room that the longest column takes. */
const markRegion = (doc: Text, { from, to }: Lines, region: Region, look: string, marks: Marks): void => {
  const className = region.by.length > 1 ? `${look} cm-clashLine` : look
  for (let line = from; line < to; line++) marks.push(lineMark(className).range(doc.line(line + 1).from))
  const most = Math.max(...sides.map((side) => region[side].to - region[side].from))
  const missing = most - (to - from)
  if (missing === 0) return
  const room = (side: 1 | -1) => Decoration.widget({ widget: new Room(missing), block: true, side })
  marks.push(to > 0 ? room(1).range(doc.line(to).to) : room(-1).range(0))
}

/** The text of some lines, and where it begins. */
const textOf = (doc: Text, { from, to }: Lines): { readonly at: number; readonly text: string } => {
  if (from === to) return { at: 0, text: "" }
  const at = doc.line(from + 1).from
  return { at, text: doc.sliceString(at, doc.line(to).to) }
}

/** Marks the words of a place that differ from those of another text. */
const markWords = (doc: Text, lines: Lines, other: Text, others: Lines, mark: Decoration, marks: Marks): void => {
  const { at, text } = textOf(doc, lines)
  const { text: otherText } = textOf(other, others)
  for (const { fromA, toA } of presentableDiff(text, otherText, { scanLimit: 500 }))
    if (fromA < toA) marks.push(mark.range(at + fromA, at + toA))
}

/** Leaves out long stretches that are the same everywhere. */
const leaveOut = (doc: Text, regions: ReadonlyArray<Region>, side: Side, marks: Marks): void => {
  const places = regions.map((region) => region[side])
  for (let index = 0; index <= places.length; index++) {
    const [before, after] = [places[index - 1], places[index]]
    const from = before === undefined ? 0 : before.to + margin
    const to = after === undefined ? doc.lines : after.from - margin
    if (to - from < least) continue
    const gap = Decoration.replace({ widget: new LeftOut(to - from), block: true })
    marks.push(gap.range(doc.line(from + 1).from, doc.line(to).to))
  }
}

const marksOf = (texts: Readonly<Record<Side, Text>>, side: Side): Extension => {
  const doc = texts[side]
  const regions = regionsOf(texts)
  const marks: Marks = []
  const look = side === "base" ? "was" : "now"
  const word = Decoration.mark({ class: `cm-${look}Text` })
  for (const region of regions) {
    // Another side may have changed the lines of the base that this one still has.
    const others = side === "base" ? region.by : region.by.filter((one) => one === side).map(() => "base" as const)
    markRegion(doc, region[side], region, others.length === 0 ? "cm-sameLine" : `cm-${look}Line`, marks)
    for (const other of others) markWords(doc, region[side], texts[other], region[other], word, marks)
  }
  leaveOut(doc, regions, side, marks)
  return EditorView.decorations.of(Decoration.set(marks, true))
}

/** `extensions`: what a side has besides. Returns what takes the columns away. */
export const show = (
  parent: HTMLElement,
  root: ShadowRoot,
  texts: Readonly<Record<Side, Text>>,
  extensions: (side: Side) => Extension
): (() => void) => {
  parent.style.display = "grid"
  parent.style.gridTemplateColumns = "repeat(3, minmax(0, 1fr))"
  const views = sides.map(
    (side) =>
      new EditorView({
        parent,
        root,
        state: EditorState.create({
          doc: texts[side],
          extensions: [lineNumbers(), shape, extensions(side), marksOf(texts, side)]
        })
      })
  )
  return () => {
    for (const view of views) view.destroy()
  }
}
