/** Draws what is suggested, as it will be: ghost text, struck old text, new lines with their sign, and the keys beside it. */
import { EditorState, type Extension, type Range, RangeSet } from "@codemirror/state"
import {
  Decoration,
  type DecorationSet,
  EditorView,
  gutter,
  gutterLineClass,
  GutterMarker,
  gutterWidgetClass,
  WidgetType
} from "@codemirror/view"
import { proseText } from "../../text/Revealed.tsx"
import { hunksOf, type Hunk, type Part } from "./hunks.ts"
import { isNear, lineOf, offer, shownIn } from "./offer.ts"

/** More lines than that are counted, not shown. */
const mostLines = 60

/** The rest of a longer text in a line is not drawn. */
const longest = 1000

const element = (name: string, className: string, text = ""): HTMLElement => {
  const made = document.createElement(name)
  made.className = className
  made.textContent = proseText(text.length > longest ? `${text.slice(0, longest)}…` : text)
  return made
}

class GhostText extends WidgetType {
  readonly text: string
  constructor(text: string) {
    super()
    this.text = text
  }
  override eq(other: GhostText) {
    return other.text === this.text
  }
  override toDOM() {
    const made = element("span", "cm-ghost", this.text)
    made.ariaHidden = "true"
    return made
  }
  override ignoreEvent() {
    return false
  }
}

/** Lines that will be there. */
class NewLines extends WidgetType {
  readonly lines: ReadonlyArray<ReadonlyArray<Part>>
  readonly isGhost: boolean
  readonly keys: string
  constructor(lines: ReadonlyArray<ReadonlyArray<Part>>, isGhost: boolean, keys: string) {
    super()
    this.lines = lines.slice(0, mostLines)
    if (lines.length > mostLines)
      this.lines = [...this.lines, [{ text: `… ${lines.length - mostLines} more lines`, isNew: false }]]
    this.isGhost = isGhost
    this.keys = keys
  }
  override eq(other: NewLines) {
    return (
      other.isGhost === this.isGhost &&
      other.keys === this.keys &&
      JSON.stringify(other.lines) === JSON.stringify(this.lines)
    )
  }
  override toDOM() {
    const made = element("div", this.isGhost ? "cm-newLines" : "cm-newLines cm-newLines-change")
    made.ariaHidden = "true"
    for (const parts of this.lines) {
      const line = made.appendChild(element("div", "cm-newLine"))
      const words = line.appendChild(element("span", "cm-newWords"))
      for (const { isNew, text } of parts)
        words.appendChild(element("span", this.isGhost ? "cm-ghost" : isNew ? "cm-newText" : "", text))
    }
    if (this.keys !== "") made.lastElementChild?.appendChild(keyBar(this.keys))
    return made
  }
  override get estimatedHeight() {
    return this.lines.length * 19
  }
  override ignoreEvent() {
    return false
  }
}

class Keys extends WidgetType {
  readonly keys: string
  constructor(keys: string) {
    super()
    this.keys = keys
  }
  override eq(other: Keys) {
    return other.keys === this.keys
  }
  override toDOM() {
    return keyBar(this.keys)
  }
}

/** `Tab accept`, and what else a key does now. `next`: "2 of 3", or nothing. */
const keyBar = (next: string): HTMLElement => {
  const made = element("span", "cm-keys")
  made.ariaHidden = "true"
  const keys = [["Tab", "accept"], ["Esc", "dismiss"], ...(next === alone ? [] : [["Alt ]", `next ${next}`]])] as const
  for (const [key, does] of keys) {
    const one = made.appendChild(element("span", "cm-key"))
    one.append(element("kbd", "", key), ` ${does}`)
  }
  return made
}

/** There is no other suggestion. */
const alone = "alone"

const gone = Decoration.mark({ class: "cm-gone" })
const goneLine = Decoration.line({ class: "cm-goneLine" })

const drawHunk = ({ doc }: EditorState, hunk: Hunk, keys: string): ReadonlyArray<Range<Decoration>> => {
  const block = (lines: ReadonlyArray<ReadonlyArray<Part>>, isGhost: boolean, at: number, side: number) =>
    Decoration.widget({ widget: new NewLines(lines, isGhost, keys), block: true, side }).range(at)
  const ghosts = (lines: ReadonlyArray<string>) => lines.map((text) => [{ text, isNew: true }])
  switch (hunk.type) {
    case "ghost": {
      const { at, below, text } = hunk
      const { to } = doc.lineAt(at)
      return [
        ...(text === "" ? [] : [Decoration.widget({ widget: new GhostText(text), side: 1 }).range(at)]),
        ...(below.length > 0
          ? [block(ghosts(below), true, to, 1)]
          : keys === ""
            ? []
            : [Decoration.widget({ widget: new Keys(keys), side: 2 }).range(to)])
      ]
    }
    case "lines":
      return [block(ghosts(hunk.lines), true, hunk.at, -1)]
    case "replaced": {
      const lines = Array.from({ length: hunk.last - hunk.first + 1 }, (_, index) => doc.line(hunk.first + index))
      return [
        ...lines.map(({ from }) => goneLine.range(from)),
        ...hunk.gone.map(({ from, to }) => gone.range(from, to)),
        ...(hunk.lines.length > 0
          ? [block(hunk.lines, false, doc.line(hunk.last).to, 1)]
          : keys === ""
            ? []
            : [Decoration.widget({ widget: new Keys(keys), side: 2 }).range(doc.line(hunk.last).to)])
      ]
    }
  }
}

const draw = (state: EditorState): DecorationSet => {
  const shown = shownIn(state)
  const now = state.field(offer, false)
  if (shown?.type !== "edit" || now === undefined) return Decoration.none
  const next = now.all.length === 1 ? alone : `${now.at + 1} of ${now.all.length}`
  const hunks = hunksOf(state.doc, shown.changes)
  const keys = isNear(state, shown) ? next : ""
  return Decoration.set(
    hunks.flatMap((hunk, index) => drawHunk(state, hunk, index === hunks.length - 1 ? keys : "")),
    true
  )
}

/** The ground of a line reaches through all that stands before it. */
class Ground extends GutterMarker {
  constructor(name: string) {
    super()
    this.elementClass = name
  }
}

const goneGround = new Ground("cm-goneGround")
const newGround = new Ground("cm-newGround")

class Sign extends GutterMarker {
  readonly sign: string
  readonly count: number
  readonly kind: string
  constructor(sign: string, kind: string, count = 1) {
    super()
    this.sign = sign
    this.kind = kind
    this.count = count
    this.elementClass = `cm-sign-${kind}`
  }
  override eq(other: Sign) {
    return other.sign === this.sign && other.kind === this.kind && other.count === this.count
  }
  override toDOM() {
    const made = element("div", "cm-sign")
    for (let line = 0; line < this.count; line++) made.appendChild(element("div", "", this.sign))
    return made
  }
}

const removed = new Sign("−", "gone")
const target = new Sign("→", "target")

const signs = (state: EditorState): RangeSet<GutterMarker> => {
  const shown = shownIn(state)
  if (shown === undefined) return RangeSet.empty
  const { doc } = state
  const line = lineOf(state, shown)
  if (shown.type === "step" || !isNear(state, shown))
    return line === undefined || line > doc.lines ? RangeSet.empty : RangeSet.of([target.range(doc.line(line).from)])
  return onGone(state, removed)
}

/** Marks the lines that go away. */
const onGone = (state: EditorState, marker: GutterMarker): RangeSet<GutterMarker> => {
  const shown = shownIn(state)
  if (shown?.type !== "edit") return RangeSet.empty
  const { doc } = state
  const marked = hunksOf(doc, shown.changes).flatMap((hunk) =>
    hunk.type === "replaced"
      ? Array.from({ length: hunk.last - hunk.first + 1 }, (_, index) =>
          marker.range(doc.line(hunk.first + index).from)
        )
      : []
  )
  return RangeSet.of(marked, true)
}

export const drawing: Extension = [
  EditorView.decorations.compute([offer, "doc", "selection", EditorState.readOnly], draw),
  gutterLineClass.compute([offer, "doc", "selection", EditorState.readOnly], (state) => onGone(state, goneGround)),
  gutterWidgetClass.of((_view, widget) => (widget instanceof NewLines && !widget.isGhost ? newGround : null)),
  gutter({
    class: "cm-suggestionGutter",
    renderEmptyElements: false,
    markers: (view) => signs(view.state),
    widgetMarker: (_view, widget) =>
      widget instanceof NewLines ? new Sign("+", widget.isGhost ? "ghost" : "new", widget.lines.length) : null,
    lineMarkerChange: ({ state, startState }) => {
      const now = state.field(offer, false)
      if (now !== startState.field(offer, false)) return true
      return now !== undefined && !state.selection.eq(startState.selection)
    }
  })
]
