/** The line below the text: where the caret is, what the file is, and whether it is saved. */
import type { ReactNode } from "react"
import type { Caret } from "./CodeView.tsx"
import { languageOf } from "./languages.ts"
import { lineEndWords } from "./lineEnds.ts"
import type { DocumentState } from "./documentState.ts"
import styles from "./EditorRoom.module.css"

export const StatusLine = (props: {
  readonly path: string
  readonly state: DocumentState
  readonly caret: Caret
  readonly mayWrite: boolean
  /** Who suggests edits. */
  readonly suggestions: ReactNode
  /** What language servers find. */
  readonly language: ReactNode
  /** Goes to the next lines that others wrote. */
  readonly onOthers: () => void
}) => {
  const { caret, language, mayWrite, onOthers, path, state, suggestions } = props
  if (state.text !== "here") return <section className={styles["status"]} aria-label="State of the file" />
  return (
    <section className={styles["status"]} aria-label="State of the file">
      <span className="grow cut">{whyReadOnly(state, mayWrite) ?? suggestions}</span>
      {language}
      {caret.others !== undefined && (
        <button type="button" className="link wide-only" title="Go to the next ones (Alt F5)" onClick={onOthers}>
          {caret.others}
        </button>
      )}
      <span className={state.unsaved ? styles["unsaved"] : undefined}>{savedWord(state)}</span>
      <span className="wide-only">
        Ln {caret.line}, Col {caret.column}
      </span>
      <span className="wide-only">{languageOf(path).name}</span>
      <span className="wide-only">
        {state.encoding === "utf-8-bom" ? "UTF-8 with BOM" : "UTF-8"}, {lineEndWords[state.lineEnd]}
      </span>
    </section>
  )
}

const savedWord = ({ saving, unsaved }: DocumentState): string => (saving ? "Saving" : unsaved ? "Unsaved" : "Saved")

const whyReadOnly = ({ holder, readOnly }: DocumentState, mayWrite: boolean): string | undefined => {
  if (!mayWrite) return "This page may read files, not change them."
  if (readOnly !== undefined) return readOnly
  return holder === "here" ? undefined : "Read only"
}
