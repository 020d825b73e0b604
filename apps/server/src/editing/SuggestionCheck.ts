/** Looks at the suggestions of an agent before anybody sees them. What can't be shown is left out, with the reason. */
import type * as Nes from "@signalbox/acp/Nes"
import type { Suggestion } from "@signalbox/acp/NesSchema"
import type { Edit, Lines, Position } from "@signalbox/acp/Positions"

/** A suggestion that is left out. `why`: a clause that begins with a verb. */
export interface Dropped {
  readonly kind: string
  readonly id?: string
  readonly why: string
}

/** What is known of the file of a suggestion. */
export interface Target {
  /** Why nothing may be suggested for it; undefined if it may. */
  readonly withheld: string | undefined
  /** Its text, if it is open. */
  readonly lines: Lines | undefined
}

/** Most suggestions of one answer, most edits of one suggestion, and most characters of one. */
export const mostSuggestions = 20
export const mostEdits = 500
export const mostCharacters = 1024 * 1024
const longestPattern = 2000

export interface Checked {
  readonly shown: ReadonlyArray<Suggestion>
  readonly dropped: ReadonlyArray<Dropped>
}

export const check = (suggestions: ReadonlyArray<Suggestion>, targetOf: (uri: string) => Target): Checked => {
  const shown: Array<Suggestion> = []
  const dropped: Array<Dropped> = []
  const ids = new Set<string>()
  for (const suggestion of suggestions) {
    const { id, kind } = suggestion
    const why = ids.has(id)
      ? "has the id of another suggestion"
      : shown.length >= mostSuggestions
        ? `is beyond the ${mostSuggestions} that are taken of one answer`
        : fault(suggestion, targetOf(suggestion.uri))
    ids.add(id)
    if (why === undefined) shown.push(suggestion)
    else dropped.push({ kind, id: id.slice(0, 200), why })
  }
  return { shown, dropped }
}

/** Says why the session with the agent has refused a suggestion. */
export const refused = ({ id, kind = "unknown", reason }: Nes.Refusal): Dropped => ({
  kind,
  ...(id !== undefined && { id: id.slice(0, 200) }),
  why: kind === "edit" || reason !== "outOfRange" ? reasons[reason] : "names a line behind the end of the file"
})

const reasons: { readonly [reason in Nes.Reason]: string } = {
  malformed: "is not what the protocol says",
  unknownKind: "is of an unknown kind",
  notOffered: "is of a kind that nobody can show here",
  duplicateId: "has the id of another suggestion",
  notOpen: "is about a file that is left alone: it is not open, and can't be read in the workspace",
  outOfRange: "has edits behind the end of the file",
  insideCharacter: "begins or ends within a character",
  inverted: "has a range that ends before it begins",
  overlapping: "has edits that overlap",
  empty: "changes nothing, or searches for nothing",
  tooLarge: "is longer, or has more edits, than is taken",
  tooMany: `is beyond the ${mostSuggestions} that are taken of one answer`,
  stale: "is about a text that has changed since"
}

const fault = (suggestion: Suggestion, { lines, withheld }: Target): string | undefined => {
  if (withheld !== undefined) return `is about a file that is left alone: ${withheld}`
  switch (suggestion.kind) {
    case "edit": {
      const { edits } = suggestion
      if (edits.length === 0) return "changes nothing"
      if (edits.length > mostEdits) return `has more than ${mostEdits} edits`
      if (edits.reduce((sum, { newText }) => sum + newText.length, 0) > mostCharacters) return "is longer than 1 MiB"
      return lines === undefined ? undefined : misplaced(lines, edits)
    }
    case "jump":
      return placed(lines, suggestion.position)
    case "rename":
      if (suggestion.newName.trim() === "" || suggestion.newName.length > longestPattern) return "has no usable name"
      return placed(lines, suggestion.position)
    case "searchAndReplace":
      if (suggestion.search === "") return "searches for nothing"
      if (suggestion.search.length > longestPattern) return `searches for more than ${longestPattern} characters`
      return suggestion.replace.length > mostCharacters ? "is longer than 1 MiB" : undefined
  }
}

const placed = (lines: Lines | undefined, { line }: Position): string | undefined =>
  lines === undefined || line < lines.count ? undefined : "names a line behind the end of the file"

/** Why edits do not fit a text. */
const misplaced = (lines: Lines, edits: ReadonlyArray<Edit>): string | undefined => {
  const places = edits
    .map(({ range }) => ({ start: lines.place(range.start), end: lines.place(range.end) }))
    .toSorted((one, other) => one.start.offset - other.start.offset || one.end.offset - other.end.offset)
  if (places.some(({ end, start }) => start.fit === "beyondText" || end.fit === "beyondText"))
    return "has edits behind the end of the file"
  let at = 0
  for (const { end, start } of places) {
    if (start.offset < at || end.offset < start.offset) return "has edits that overlap"
    at = end.offset
  }
  return lines.edit(edits).text === lines.text ? "changes nothing" : undefined
}
