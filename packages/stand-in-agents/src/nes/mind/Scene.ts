/** What is known when a suggestion is asked for, and what can be suggested. Places are UTF-16 offsets of their text. */
import type { Position } from "@signalbox/acp/Positions"

/** A stretch of a text, without what stands at `end`. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A stretch of a text, and what takes its place. */
export interface Change extends Span {
  readonly text: string
}

/** A text that is known, or a piece of one. */
export interface Known {
  readonly uri: string
  readonly text: string
  /** The line of the file that the text begins with. */
  readonly firstLine: number
}

export interface Finding extends Span {
  readonly message: string
  readonly isError: boolean
}

/** A finding in a file whose text is not known. */
export interface FarFinding {
  readonly uri: string
  readonly position: Position
}

/** A word that took the place of another one. */
export interface Renaming {
  readonly from: string
  readonly to: string
}

/** An edit: `inserted` stands at `at`, where `removed` was. */
export interface Edit {
  readonly at: number
  readonly removed: string
  readonly inserted: string
}

/** The last edit, and the text that it was made in, as it is now. */
export interface LastEdit extends Edit {
  readonly uri: string
  readonly text: string
}

export type Kind = "edit" | "jump" | "rename" | "searchAndReplace"

export interface Scene {
  readonly uri: string
  readonly text: string
  readonly caret: number
  /** What is selected, if it is not empty. */
  readonly selection?: Span | undefined
  /** What the window shows of the document. */
  readonly visible?: Span | undefined
  readonly trigger: "automatic" | "diagnostic" | "manual"
  readonly lastEdit?: LastEdit | undefined
  /** The last renaming that was accepted. */
  readonly renamed?: Renaming | undefined
  /** Whether the person moves the caret, and does not write. */
  readonly isMoving: boolean
  /** Whether the last edit was taken back. */
  readonly isUndone: boolean
  /** Other texts, the most recently used one first. */
  readonly others: ReadonlyArray<Known>
  /** What is wrong in the document. */
  readonly findings: ReadonlyArray<Finding>
  readonly farFindings: ReadonlyArray<FarFinding>
  /** The folders of the workspace. */
  readonly folders: ReadonlyArray<string>
  /** The kinds that may be suggested. */
  readonly kinds: ReadonlySet<Kind>
}

/** A suggestion without an id. The changes are about the document of the scene, in order, and don't overlap. */
export type Idea =
  | { readonly kind: "edit"; readonly uri: string; readonly changes: ReadonlyArray<Change>; readonly caret: number }
  | { readonly kind: "jump"; readonly uri: string; readonly position: Position }
  | { readonly kind: "rename"; readonly uri: string; readonly at: number; readonly from: string; readonly to: string }
  | {
      readonly kind: "searchAndReplace"
      readonly uri: string
      readonly search: string
      readonly replace: string
      readonly isRegex: boolean
    }
