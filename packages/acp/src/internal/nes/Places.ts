/** Carries positions of suggestions and their context from one encoding into another, by the texts that they are in. */
import type { Lines } from "../text/Lines.ts"
import type { Position, PositionEncoding, Range } from "../text/Position.ts"
import type { Context, Suggestion, WireContext } from "./Schema.ts"

export interface Places {
  /** Undefined if the text is not known, and the encodings differ. */
  readonly position: (uri: string, position: Position) => Position | undefined
  readonly range: (uri: string, range: Range) => Range | undefined
}

export const between = (
  linesOf: (uri: string) => Lines | undefined,
  from: PositionEncoding,
  to: PositionEncoding
): Places =>
  from === to
    ? { position: (_, position) => position, range: (_, range) => range }
    : {
        position: (uri, position) => linesOf(uri)?.convert(position, from, to),
        range: (uri, range) => linesOf(uri)?.convertRange(range, from, to)
      }

/** A context with converted places. An entry whose place can't be converted is left out; a visible range, alone. */
export const inContext = (context: typeof WireContext.Type | Context, places: Places): Context => {
  const { diagnostics, editHistory, openFiles, recentFiles, relatedSnippets, userActions } = context
  return {
    ...(recentFiles && { recentFiles }),
    ...(relatedSnippets && { relatedSnippets }),
    ...(editHistory && { editHistory }),
    ...(userActions && {
      userActions: userActions.flatMap((action) => {
        const position = places.position(action.uri, action.position)
        return position === undefined ? [] : [{ ...action, position }]
      })
    }),
    ...(openFiles && {
      openFiles: openFiles.map(({ visibleRange, ...file }) => {
        const range = visibleRange ? places.range(file.uri, visibleRange) : undefined
        return range === undefined ? file : { ...file, visibleRange: range }
      })
    }),
    ...(diagnostics && {
      diagnostics: diagnostics.flatMap((diagnostic) => {
        const range = places.range(diagnostic.uri, diagnostic.range)
        return range === undefined ? [] : [{ ...diagnostic, range }]
      })
    })
  }
}

/** A context with every list. */
export const withEmptyLists = (context: Context): Required<Context> => ({
  recentFiles: [],
  relatedSnippets: [],
  editHistory: [],
  userActions: [],
  openFiles: [],
  diagnostics: [],
  ...context
})

/** A suggestion with converted places, by the text that it is about. Places beyond a line become its end. */
export const inSuggestion = (
  suggestion: Suggestion,
  lines: Lines,
  from: PositionEncoding,
  to: PositionEncoding
): Suggestion => {
  if (suggestion.kind === "searchAndReplace") return suggestion
  if (suggestion.kind !== "edit") return { ...suggestion, position: lines.convert(suggestion.position, from, to) }
  const { cursorPosition, edits } = suggestion
  return {
    ...suggestion,
    edits: edits.map((edit) => ({ ...edit, range: lines.convertRange(edit.range, from, to) })),
    // The cursor is in the text as the edits leave it.
    ...(cursorPosition && { cursorPosition: lines.edit(edits, from).convert(cursorPosition, from, to) })
  }
}
