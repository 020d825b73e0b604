/** What the page shows of an open file, besides its text. */
import type { DocumentEncoding, DocumentText, LineEnd } from "@signalbox/contracts/Documents"
import type { Problem } from "@signalbox/contracts/Problem"
import type { Base } from "./Base.ts"

export interface Conflict {
  readonly disk: DocumentText
  /** What both sides were made from. */
  readonly base: Base
  /** How many other lines came from the disk. */
  readonly others: number
  /** The lines of the shown text that both sides changed. Empty where that isn't known. */
  readonly places: ReadonlyArray<{ readonly from: number; readonly to: number }>
  /** Why the texts could not be merged line by line, if so. */
  readonly why?: string
}

export interface DocumentState {
  /** `reading`: nothing is known yet. `none`: there is no text to show. */
  readonly text: "reading" | "here" | "none"
  /** Why the disk's text can't be shown, if so. */
  readonly problem: Problem | undefined
  /** Set while there is no such file on the disk. `at`: when it was missed. */
  readonly gone: { readonly movedTo?: string; readonly at: number } | undefined
  /** Whether a call of the thread's agent that edits the file runs. */
  readonly isWritten: boolean
  /** The page that edits the file. */
  readonly holder: "here" | "elsewhere" | "nobody"
  /** Why the file can't be saved here, if so. */
  readonly readOnly: string | undefined
  readonly encoding: DocumentEncoding
  readonly lineEnd: LineEnd
  readonly unsaved: boolean
  readonly saving: boolean
  readonly conflict: Conflict | undefined
  /** Whether changes of the disk were merged into the unsaved text that is shown. */
  readonly merged: boolean
  /** Why the last save, merge or take-over failed, if so. */
  readonly failed: Problem | undefined
  /** Why this browser doesn't keep the unsaved text, if so. */
  readonly notKept: string | undefined
}

export const initial: DocumentState = {
  text: "reading",
  problem: undefined,
  gone: undefined,
  isWritten: false,
  holder: "nobody",
  readOnly: undefined,
  encoding: "utf-8",
  lineEnd: "lf",
  unsaved: false,
  saving: false,
  conflict: undefined,
  merged: false,
  failed: undefined,
  notKept: undefined
}

/** Whether people may change the text now. */
export const isEditable = ({ holder, readOnly, text }: DocumentState): boolean =>
  text === "here" && holder === "here" && readOnly === undefined
