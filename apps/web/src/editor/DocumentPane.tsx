/** One open file: where it is, what happened to it, its text, and a line with its state. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import { type ReactNode, useEffect, useEffectEvent, useState } from "react"
import { useStore } from "../browser/Store.ts"
import { ctrl, hasCtrl } from "../browser/shortcuts.ts"
import { Button, IconButton } from "../design/Button.tsx"
import { Revealed } from "../text/Revealed.tsx"
import { others } from "./authors/disk.ts"
import { type Caret, CodeView } from "./CodeView.tsx"
import { findIn } from "./codeMirror.ts"
import { DocumentBars } from "./DocumentBars.tsx"
import { DocumentNotice } from "./DocumentNotice.tsx"
import styles from "./EditorRoom.module.css"
import { StatusLine } from "./StatusLine.tsx"
import { isEditable } from "./documentState.ts"
import type { OpenDocument } from "./OpenDocument.ts"

export const DocumentPane = (props: {
  readonly document: OpenDocument
  readonly threadId: ThreadId
  readonly line: number | undefined
  readonly mayWrite: boolean
  /** Who suggests edits. */
  readonly suggestions: ReactNode
  /** What language servers find. */
  readonly language: ReactNode
}) => {
  const { document, language, line, mayWrite, suggestions, threadId } = props
  const state = useStore(document.state)
  const [caret, setCaret] = useState<Caret>({ line: 1, column: 1, others: undefined })
  const save = useEffectEvent((event: KeyboardEvent) => {
    if (!hasCtrl(event) || event.shiftKey || event.altKey || event.key.toLowerCase() !== "s") return
    // Within the text, the editor has saved already.
    if (!event.defaultPrevented) document.save()
    event.preventDefault()
  })
  useEffect(() => {
    addEventListener("keydown", save)
    return () => removeEventListener("keydown", save)
  }, [])
  const search = () => {
    const view = document.buffer()?.view
    if (view !== undefined) findIn(document, view)
  }
  const goToOthers = () => {
    const view = document.buffer()?.view
    if (view === undefined) return
    view.state.facet(others)?.goToNext(view)
    view.focus()
  }
  return (
    <>
      <div className={styles["path"]}>
        <code className="cut grow" title={document.path}>
          <Revealed text={document.path.split("/").join(" / ")} />
        </code>
        {state.text === "here" && (
          <>
            <IconButton icon="search" label="Search in this file" hint={`${ctrl} F`} onClick={search} />
            <Button
              needs="operate"
              inert={!state.unsaved || !isEditable(state) || state.saving || state.conflict !== undefined}
              title={`${ctrl} S`}
              onClick={document.save}
            >
              Save
            </Button>
          </>
        )}
      </div>
      <DocumentBars document={document} state={state} threadId={threadId} mayWrite={mayWrite} />
      {state.text === "here" ? (
        <CodeView document={document} line={line} onCaret={setCaret} />
      ) : (
        <DocumentNotice path={document.path} state={state} threadId={threadId} />
      )}
      <StatusLine
        path={document.path}
        state={state}
        caret={caret}
        mayWrite={mayWrite}
        suggestions={suggestions}
        language={language}
        onOthers={goToOthers}
      />
    </>
  )
}
