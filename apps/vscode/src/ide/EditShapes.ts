/** Changes that the editor proposes, in the shapes of the Language Server Protocol. None of them is made. Pure. */
import { type Address, rangeOf, type Span, uriOf } from "./Places.ts"

/** A change of one file. */
export interface Edit {
  readonly range: Span
  readonly newText: string
}

/** A change of several files. */
export interface Edits {
  readonly entries: () => ReadonlyArray<readonly [Address, ReadonlyArray<Edit>]>
}

/** An action, or a command of the editor. */
export interface Action {
  readonly title: string
  readonly kind?: { readonly value: string }
  readonly isPreferred?: boolean
  readonly edit?: Edits
}

interface TextEdit {
  readonly range: ReturnType<typeof rangeOf>
  readonly newText: string
}

export const textEditOf = ({ newText, range }: Edit): TextEdit => ({ range: rangeOf(range), newText })

/** The editor shows changes of texts only. Files that it would make, move or delete are not in it. */
export const workspaceEditOf = (edit: Edits) => ({
  changes: Object.fromEntries(edit.entries().map(([uri, edits]) => [uriOf(uri), edits.map(textEditOf)]))
})

/** An action with its change. One that only runs a command of the editor has none. */
export const codeActionOf = ({ edit, isPreferred, kind, title }: Action) => ({
  title,
  ...(kind !== undefined && { kind: kind.value }),
  ...(isPreferred === true && { isPreferred }),
  ...(edit !== undefined && { edit: workspaceEditOf(edit) })
})
