/** What people look at in a text: with the pointer that rests, or with keys. */
import { type Extension } from "@codemirror/state"
import { EditorView, keymap, ViewPlugin } from "@codemirror/view"
import { hasCtrl } from "../../browser/shortcuts.ts"

/** Who hears what people look at. Offsets are those of the text. */
export interface Looking {
  /** The pointer rests on a character, or the keys ask about the caret's. */
  readonly look: (view: EditorView, at: number, by: "pointer" | "key") => void
  /** The pointer is on a character, or beside the text. */
  readonly point: (at: number | undefined) => void
  /** People do something else. */
  readonly leave: () => void
  readonly definition: (view: EditorView, at: number) => void
  readonly references: (view: EditorView, at: number) => void
  /** Goes to the next finding, or to the one before. */
  readonly finding: (view: EditorView, by: 1 | -1) => void
}

/** Milliseconds that a pointer rests before anybody is asked. */
const rest = 350

/** The offset of the character below the pointer. Undefined beside the text. */
const offsetAt = (view: EditorView, { clientX: x, clientY: y }: MouseEvent): number | undefined => {
  const at = view.posAtCoords({ x, y })
  if (at === null) return undefined
  const place = view.coordsAtPos(at)
  const isNear =
    place !== null &&
    Math.abs(place.left - x) <= view.defaultCharacterWidth * 1.5 &&
    place.top <= y &&
    y <= place.bottom
  return isNear ? at : undefined
}

const caret = (view: EditorView): number => view.state.selection.main.head

export const looking = (heard: Looking): Extension => {
  const key = (act: (view: EditorView) => void) => (view: EditorView) => {
    act(view)
    return true
  }
  return [
    // Ctrl goes to a definition, so Alt adds a caret.
    EditorView.clickAddsSelectionRange.of((event) => event.altKey),
    keymap.of([
      { key: "Mod-k Mod-i", run: key((view) => heard.look(view, caret(view), "key")) },
      { key: "F12", run: key((view) => heard.definition(view, caret(view))) },
      { key: "Shift-F12", run: key((view) => heard.references(view, caret(view))) },
      { key: "F8", run: key((view) => heard.finding(view, 1)), shift: key((view) => heard.finding(view, -1)) },
      {
        key: "Escape",
        run: () => {
          heard.leave()
          return false
        }
      }
    ]),
    ViewPlugin.define(
      () => {
        let timer: ReturnType<typeof setTimeout> | undefined
        return {
          rest: (event: MouseEvent, view: EditorView) => {
            clearTimeout(timer)
            const at = offsetAt(view, event)
            heard.point(at)
            if (at !== undefined) timer = setTimeout(() => heard.look(view, at, "pointer"), rest)
          },
          stop: () => clearTimeout(timer),
          update: ({ docChanged }) => {
            if (!docChanged) return
            clearTimeout(timer)
            heard.leave()
          },
          destroy: () => {
            clearTimeout(timer)
            heard.leave()
          }
        }
      },
      {
        eventHandlers: {
          mousemove(event, view) {
            if (event.buttons === 0) this.rest(event, view)
          },
          mouseleave() {
            this.stop()
            heard.point(undefined)
          },
          scroll() {
            this.stop()
            heard.leave()
          },
          mousedown(event, view) {
            this.stop()
            heard.leave()
            const at = event.button === 0 && hasCtrl(event) ? offsetAt(view, event) : undefined
            if (at === undefined) return false
            event.preventDefault()
            heard.definition(view, at)
            return true
          }
        }
      }
    )
  ]
}
