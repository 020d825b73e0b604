/** What follows the texts of the editor needs of it: its open files, and a way to show one. */
import type { LineEnd } from "@signalbox/contracts/Documents"
import type { EditorState, Extension, TransactionSpec } from "@codemirror/state"
import type { EditorView } from "@codemirror/view"
import type { Follow } from "../../browser/Store.ts"

/** What of a file's state decides whether people may change it. */
export interface FileState {
  readonly text: "reading" | "here" | "none"
  readonly holder: "here" | "elsewhere" | "nobody"
  readonly readOnly: string | undefined
  readonly unsaved: boolean
  readonly saving: boolean
  readonly conflict: object | undefined
  readonly failed: object | undefined
}

export interface EditedFile {
  readonly path: string
  readonly state: Follow<FileState>
  readonly buffer: () =>
    | {
        readonly state: EditorState
        readonly lineEnd: LineEnd
        readonly view: EditorView | undefined
        /** Changes the text, shown or not. */
        readonly dispatch: (change: TransactionSpec) => void
      }
    | undefined
}

export interface EditorAccess {
  /** The paths of the open files. */
  readonly tabs: Follow<ReadonlyArray<string>>
  readonly file: (path: string) => EditedFile
  /** Adds to the editor of a file that has a text, in place of what was added before. */
  readonly extend: (file: EditedFile, extension: Extension) => void
  /** Opens a tab behind the shown one, unless there is one. */
  readonly open: (path: string) => void
  /** Shows a file, at a line from 1. */
  readonly show: (path: string, line?: number) => void
}

/** Whether people may change the text now, and it is clear what the text is. */
export const isFree = ({ conflict, holder, readOnly, text }: FileState): boolean =>
  text === "here" && holder === "here" && readOnly === undefined && conflict === undefined
