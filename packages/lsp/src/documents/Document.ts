/** A text as all servers shall have it: of the disk, or of the editor that has it open. It never changes; a change makes another one. */
import type { Change, Lines } from "@signalbox/acp/Positions"

export interface Document {
  readonly path: string
  readonly uri: string
  readonly languageId: string
  readonly lines: Lines
  /** Counts changes within one `opening`. An editor brings its own numbers. */
  readonly version: number
  /** Differs each time the document is opened anew. Servers close the one before. */
  readonly opening: number
  /** `question`: a text that one question is about, and that nobody has. */
  readonly owner: "editor" | "disk" | "question"
  /** The file when its text was read. Undefined for a text of an editor. */
  readonly stamp: string | undefined
  /** How it was made out of the version before. Places are counted in UTF-16. Undefined if that is not known. */
  readonly since: { readonly version: number; readonly changes: ReadonlyArray<Change> } | undefined
}
