/** What marks of authors share with the rest of the editor, which has no marks until the disk first changes. */
import { Annotation, type EditorState, Facet, type RangeSet, StateEffect } from "@codemirror/state"
import type { Command, GutterMarker } from "@codemirror/view"
import type { AgentWork } from "./AgentWork.ts"
import type { DiskChange } from "./Author.ts"

/** The text comes from the disk. */
export const fromDisk = Annotation.define<DiskChange>()

/** Something is known now of what the agent does. */
export const workChanged = StateEffect.define<AgentWork>()

/** The lines that others wrote. */
export interface Others {
  /** How many they are, in words. Undefined if there are none. */
  readonly words: (state: EditorState) => string | undefined
  /** Their marks at the left edge. */
  readonly marks: (state: EditorState) => RangeSet<GutterMarker>
  /** Goes to the next ones. */
  readonly goToNext: Command
}

export const others = Facet.define<Others, Others | undefined>({ combine: ([first]) => first })

/** The first lines of people's own unsaved text, from 1. They have a label where others have written, too. */
export const ownLines = Facet.define<(state: EditorState) => ReadonlyArray<number>>()
