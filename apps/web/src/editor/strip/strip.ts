/** A strip at the right edge of the text: where in the whole file something is marked. */
import { type EditorState, type Extension, Facet } from "@codemirror/state"
import { EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view"

/** `others`: lines that came from the disk. `writing`: the agent writes them now. `own`: people's unsaved text. */
export type StripKind = "others" | "writing" | "own" | "conflict" | "target"

/** Lines from 1. */
export interface StripPlace {
  readonly first: number
  readonly last: number
  readonly kind: StripKind
}

/** Returns the marked places of a state of the text. It returns the same array until they change. */
export const stripPlaces = Facet.define<(state: EditorState) => ReadonlyArray<StripPlace>>()

/** The most marks of one source. What is closer together is one mark. */
const slots = 200

/** Marks in percent of the height of the strip. */
export const marksOf = (
  places: ReadonlyArray<StripPlace>,
  lines: number
): ReadonlyArray<{ readonly top: number; readonly height: number; readonly kind: StripKind }> => {
  const marks: Array<{ top: number; height: number; kind: StripKind }> = []
  const slot = (line: number) => Math.floor(((line - 1) / Math.max(1, lines)) * slots)
  for (const { first, kind, last } of places) {
    const top = (slot(first) * 100) / slots
    const height = ((slot(last) - slot(first) + 1) * 100) / slots
    const before = marks.at(-1)
    if (before?.kind === kind && top <= before.top + before.height)
      before.height = Math.max(before.height, top + height - before.top)
    else marks.push({ top, height, kind })
  }
  return marks
}

const plugin = ViewPlugin.define((view) => {
  const dom = document.createElement("div")
  dom.className = "cm-strip"
  dom.ariaHidden = "true"
  view.dom.append(dom)
  let drawn: ReadonlyArray<ReadonlyArray<StripPlace>> = []
  let lines = 0
  const draw = ({ doc }: EditorState, found: typeof drawn) => {
    drawn = found
    lines = doc.lines
    // A text that is shorter than what is seen has its marks beside their lines.
    dom.style.height = `${view.documentPadding.top + lines * view.defaultLineHeight}px`
    dom.hidden = found.every((places) => places.length === 0)
    dom.replaceChildren(
      ...found.flatMap((places) =>
        marksOf(places, doc.lines).map(({ height, kind, top }) => {
          const mark = document.createElement("i")
          mark.className = `cm-strip-${kind}`
          mark.style.top = `${top}%`
          mark.style.height = `${height}%`
          return mark
        })
      )
    )
  }
  const placesIn = (state: EditorState) => state.facet(stripPlaces).map((places) => places(state))
  draw(view.state, placesIn(view.state))
  return {
    update: ({ state }: ViewUpdate) => {
      const found = placesIn(state)
      const isSame = found.length === drawn.length && found.every((places, at) => places === drawn[at])
      if (!isSame || lines !== state.doc.lines) draw(state, found)
    },
    destroy: () => dom.remove()
  }
})

const look = EditorView.theme({
  ".cm-strip": {
    position: "absolute",
    zIndex: "1",
    top: "0",
    right: "0",
    maxHeight: "100%",
    width: "8px",
    pointerEvents: "none"
  },
  ".cm-strip[hidden]": { display: "none" },
  ".cm-strip i": { position: "absolute", left: "2px", right: "2px", minHeight: "3px" },
  ".cm-strip-others": { backgroundColor: "var(--edge)" },
  ".cm-strip-writing": { backgroundColor: "var(--green)" },
  ".cm-strip-own, .cm-strip-target": { backgroundColor: "var(--blue)" },
  ".cm-strip-conflict": { backgroundColor: "var(--amber-lamp)" }
})

export const strip: Extension = [plugin, look]
