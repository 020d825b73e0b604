/** What is suggested elsewhere: a button at the lower edge of the text. On touch, a bar with buttons in place of keys. */
import type { EditorState, Extension } from "@codemirror/state"
import { type EditorView, type Panel, showPanel, ViewPlugin, type ViewUpdate } from "@codemirror/view"
import { proseText } from "../../text/Revealed.tsx"
import { accept, dismiss, turn } from "./actions.ts"
import { isNear, lineOf, offer, type Offered, type Preview, shownIn } from "./offer.ts"

/** Longer lines are cut where they are shown in a hint. */
const longest = 160

/** The line that an edit changes first, as it will be. */
const previewOf = ({ doc }: EditorState, shown: Offered): Preview => {
  if (shown.type === "step") return shown.preview
  const [first] = shown.changes
  if (first === undefined) return []
  const line = doc.lineAt(first.from)
  const parts: Array<Preview[number]> = []
  const add = (text: string, kind: Preview[number]["kind"]) => {
    if (text !== "") parts.push({ text, kind })
  }
  let at = line.from
  for (const { from, insert, to } of shown.changes) {
    if (from > line.to) break
    add(doc.sliceString(at, from), "same")
    add(doc.sliceString(from, Math.min(to, line.to)), "old")
    const [text = "", ...below] = insert.split("\n")
    add(text === "" && below.length > 0 ? (below[0] ?? "") : text, "new")
    at = to
  }
  if (at < line.to) add(doc.sliceString(at, line.to), "same")
  return parts
}

/** What the first key does, if it does not accept at once. */
export const hintOf = (state: EditorState): { readonly words: string; readonly preview: Preview } | undefined => {
  const shown = shownIn(state)
  if (shown === undefined) return undefined
  if (shown.type === "step") return { words: shown.words, preview: shown.preview }
  if (isNear(state, shown)) return undefined
  return { words: `jump to line ${lineOf(state, shown) ?? 1}`, preview: previewOf(state, shown) }
}

const button = (className: string, text: string, press: () => void): HTMLButtonElement => {
  const made = document.createElement("button")
  made.type = "button"
  made.className = className
  made.textContent = text
  // The caret stays where it is.
  made.addEventListener("mousedown", (event) => event.preventDefault())
  made.addEventListener("click", press)
  return made
}

const svg = "http://www.w3.org/2000/svg"

const arrow = (): SVGElement => {
  const made = document.createElementNS(svg, "svg")
  made.setAttribute("viewBox", "0 0 16 16")
  made.ariaHidden = "true"
  const path = made.appendChild(document.createElementNS(svg, "path"))
  path.setAttribute("d", "M8 2v8.6M4.4 7.2 8 10.8l3.6-3.6M3 14h10")
  return made
}

const tags = { same: "span", old: "del", new: "ins" } as const

const drawPreview = (into: HTMLElement, preview: Preview): void => {
  let left = longest
  for (const [index, { kind, text }] of preview.entries()) {
    const part = document.createElement(tags[kind])
    part.textContent = proseText((index === 0 ? text.trimStart() : text).slice(0, Math.max(0, left)))
    left -= text.length
    into.append(part, kind === "old" ? " " : "")
  }
}

/** The button at the lower edge. */
const hint = ViewPlugin.define((view) => {
  const made = button("cm-hint", "", () => {
    accept(view)
    view.focus()
  })
  made.hidden = true
  view.dom.append(made)
  const draw = (state: EditorState) => {
    const now = hintOf(state)
    made.hidden = now === undefined
    made.replaceChildren()
    if (now === undefined) return
    const key = document.createElement("kbd")
    key.textContent = "Tab"
    const code = document.createElement("code")
    drawPreview(code, now.preview)
    made.append(arrow(), key, `to ${now.words}`, code)
  }
  draw(view.state)
  return {
    update: ({ selectionSet, startState, state }: ViewUpdate) => {
      const now = shownIn(state)
      if (now !== shownIn(startState) || (now !== undefined && selectionSet)) draw(state)
    },
    destroy: () => made.remove()
  }
})

const capital = (words: string): string => words.slice(0, 1).toUpperCase() + words.slice(1)

/** Buttons for what the keys do. The style of the page shows them where there may be no keys. */
const dock = (view: EditorView): Panel => {
  const dom = document.createElement("div")
  dom.className = "cm-dock"
  const then = (act: (view: EditorView) => boolean) => () => {
    act(view)
  }
  const next = button("cm-button", "", then(turn(1)))
  const take = button("cm-button cm-button-solid", "", then(accept))
  dom.append(button("cm-button", "Dismiss", then(dismiss)), next, take)
  const draw = (state: EditorState) => {
    const now = state.field(offer, false)
    if (now === undefined) return
    next.hidden = now.all.length < 2
    next.textContent = `Next, ${now.at + 1} of ${now.all.length}`
    const jump = hintOf(state)
    take.textContent = jump === undefined ? "Accept" : capital(jump.words)
  }
  draw(view.state)
  return { dom, update: ({ state }) => draw(state) }
}

export const hints: Extension = [
  hint,
  showPanel.compute([offer, "selection"], (state) => (shownIn(state) === undefined ? null : dock))
]
