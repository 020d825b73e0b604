/** Both sides of a conflict beside each other. Nothing is changed here. */
import { MergeView } from "@codemirror/merge"
import { EditorState } from "@codemirror/state"
import { EditorView, lineNumbers } from "@codemirror/view"
import { useEffect, useRef } from "react"
import { Button } from "../design/Button.tsx"
import { Dialog } from "../design/Dialog.tsx"
import { rootOf } from "./CodeView.tsx"
import type { Conflict } from "./documentState.ts"
import styles from "./EditorRoom.module.css"
import { nameOf } from "./FileTabs.tsx"
import { languageOf } from "./languages.ts"
import { toDoc } from "./lineEnds.ts"
import type { OpenDocument } from "./OpenDocument.ts"
import { look } from "./theme.ts"

const CompareDialog = (props: {
  readonly document: OpenDocument
  readonly conflict: Conflict
  readonly onClose: () => void
}) => {
  const { conflict, document, onClose } = props
  const host = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const buffer = document.buffer()
    if (host.current === null || buffer === undefined) return
    const root = rootOf(host.current)
    const side = (label: string) => [
      lineNumbers(),
      EditorState.readOnly.of(true),
      EditorView.contentAttributes.of({ "aria-label": label }),
      look
    ]
    const view = new MergeView({
      a: { doc: toDoc(conflict.disk.text, conflict.disk.lineEnd), extensions: side("On the disk") },
      b: { doc: buffer.state.doc, extensions: side("Yours, unsaved") },
      parent: root,
      root,
      collapseUnchanged: { margin: 3, minSize: 6 }
    })
    return () => view.destroy()
  }, [document, conflict])
  return (
    <Dialog title={`Compare ${nameOf(document.path)}`} onClose={onClose}>
      <div className={styles["compare"]} data-language={languageOf(document.path).name}>
        <div className={styles["sides"]}>
          <h3>On the disk</h3>
          <h3>Yours, unsaved</h3>
        </div>
        <div ref={host} className={`${styles["both"] ?? ""} scroll`} />
        <div className={styles["foot"]}>
          <Button needs="operate" onClick={() => choose(document.keepMine, onClose)}>
            Keep mine
          </Button>
          <Button needs="operate" onClick={() => choose(document.takeTheirs, onClose)}>
            Take theirs
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

const choose = (act: () => void, then: () => void): void => {
  act()
  then()
}

export default CompareDialog
