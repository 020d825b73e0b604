/** What a suggestion changes in open documents, and how it is called in a menu. */
import type { Suggestion } from "@signalbox/acp/NesSchema"
import type { Edit, Lines } from "@signalbox/acp/Positions"
import { oneLine } from "../../base/Plain.ts"
import { editsIn, mostNewText, mostPlaces } from "../../editing/SuggestedText.ts"

/** An open document of the editor. */
export interface OpenText {
  readonly uri: string
  /** The editor's number for the text. */
  readonly version: number | null
  readonly lines: Lines
}

/** A document that is changed, and its text if it is open. */
export interface Changed {
  readonly uri: string
  readonly version: number | null
  readonly lines?: Lines
}

export interface DocumentEdits {
  readonly document: Changed
  readonly edits: ReadonlyArray<Edit>
}

/**
 * The edits of a suggestion. Only an `edit` says what it changes in a file that is not open. Undefined if nothing is
 * changed, or if nobody can say what.
 */
export const editsOf = (
  suggestion: Suggestion,
  documents: ReadonlyArray<OpenText>
): ReadonlyArray<DocumentEdits> | undefined => {
  const changed: Array<DocumentEdits> = []
  const { kind, uri } = suggestion
  if (kind === "edit" && !documents.some((document) => document.uri === uri))
    return [{ document: { uri, version: null }, edits: suggestion.edits }]
  for (const document of meant(suggestion, documents)) {
    const edits = editsIn(suggestion, document.lines)
    if (edits === undefined) return undefined
    if (edits.length > 0) changed.push({ document, edits })
  }
  const all = changed.flatMap(({ edits }) => edits)
  const length = all.reduce((sum, { newText }) => sum + newText.length, 0)
  return all.length === 0 || all.length > mostPlaces || length > mostNewText ? undefined : changed
}

/** The documents that a suggestion is about: one, or those in a folder. */
const meant = ({ kind, uri }: Suggestion, documents: ReadonlyArray<OpenText>): ReadonlyArray<OpenText> => {
  const own = documents.filter((document) => document.uri === uri)
  if (kind !== "searchAndReplace" || own.length > 0) return own
  const folder = uri.endsWith("/") ? uri : `${uri}/`
  return documents.filter((document) => document.uri.startsWith(folder))
}

/** Characters of a text that a title shows. */
const shown = 40

const quoted = (text: string): string => `“${oneLine(text, shown)}”`

/** The title of a code action that applies the suggestion. */
export const titleOf = (suggestion: Suggestion, changed: ReadonlyArray<DocumentEdits>): string => {
  switch (suggestion.kind) {
    case "edit":
      return editTitle(changed)
    case "jump":
      return `Go to line ${suggestion.position.line + 1}`
    case "rename":
      return `Rename to ${quoted(suggestion.newName)}, by words of the file`
    case "searchAndReplace": {
      const where = changed.length === 1 ? "this file" : `${changed.length} open files`
      return `Replace ${quoted(suggestion.search)} by ${quoted(suggestion.replace)} in ${where}`
    }
  }
}

const editTitle = ([first]: ReadonlyArray<DocumentEdits>): string => {
  const [edit, ...more] = first?.edits ?? []
  if (first === undefined || edit === undefined) return "Apply the suggestion"
  const { lines } = first.document
  const { end, start } = edit.range
  const places = more.length === 0 ? "" : `, and ${more.length} more`
  const where = ` on line ${start.line + 1}${places}`
  if (lines === undefined) return `Change what is${where}`
  const before = lines.slice(lines.offsetAt(start), lines.offsetAt(end))
  if (before === "") return `Insert ${quoted(edit.newText)}${where}`
  if (edit.newText === "") return `Delete ${quoted(before)}${where}`
  return `Replace ${quoted(before)} by ${quoted(edit.newText)}${where}`
}
