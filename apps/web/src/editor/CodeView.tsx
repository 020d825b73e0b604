/** The text of a file, in a shadow root: the styles of the editor may be adopted there under the page's content security policy. */
import type { EditorState } from "@codemirror/state"
import { EditorView } from "@codemirror/view"
import { useEffect, useEffectEvent, useRef } from "react"
import { others } from "./authors/disk.ts"
import { loadGrammar, loadSearch } from "./codeMirror.ts"
import styles from "./EditorRoom.module.css"
import type { OpenDocument } from "./OpenDocument.ts"

/** The shadow root of an element. React may show the same element twice. */
export const rootOf = (host: HTMLElement): ShadowRoot => host.shadowRoot ?? host.attachShadow({ mode: "open" })

/** The place of the caret, from 1. `others`: how many lines others wrote, in words. */
export interface Caret {
  readonly line: number
  readonly column: number
  readonly others: string | undefined
}

/** Shows a document that has a text. `line`: goes there, from 1. */
export const CodeView = (props: {
  readonly document: OpenDocument
  readonly line: number | undefined
  readonly onCaret: (caret: Caret) => void
}) => {
  const { document, line, onCaret } = props
  const host = useRef<HTMLDivElement>(null)
  const showCaret = useEffectEvent(onCaret)
  useEffect(() => {
    const buffer = document.buffer()
    if (host.current === null || buffer === undefined) return
    const root = rootOf(host.current)
    const parent = globalThis.document.createElement("div")
    parent.style.height = "100%"
    root.append(parent)
    const hide = buffer.show(parent, root)
    const { view } = buffer
    view?.focus()
    // With the next frame, and not within a keystroke: the line below the text costs more than the key.
    let frame: number | undefined
    const stop = buffer.onUpdate(() => {
      frame ??= requestAnimationFrame(() => {
        frame = undefined
        showCaret(caretOf(buffer.state))
      })
    })
    showCaret(caretOf(buffer.state))
    loadGrammar(document).catch(() => {
      // Without its grammar, the text has one colour.
    })
    loadSearch(document).catch(() => {
      // The key for it tries again, and says so.
    })
    return () => {
      stop()
      if (frame !== undefined) cancelAnimationFrame(frame)
      hide()
      parent.remove()
    }
  }, [document])
  useEffect(() => {
    const buffer = document.buffer()
    if (line === undefined || buffer === undefined) return
    const { from } = buffer.state.doc.line(Math.max(1, Math.min(line, buffer.state.doc.lines)))
    buffer.view?.dispatch({
      selection: { anchor: from },
      effects: EditorView.scrollIntoView(from, { y: "center" })
    })
  }, [document, line])
  return <div ref={host} className={styles["code"]} data-editor="" />
}

const caretOf = (state: EditorState): Caret => {
  const { head } = state.selection.main
  const { from, number } = state.doc.lineAt(head)
  return { line: number, column: head - from + 1, others: state.facet(others)?.words(state) }
}
