/** What a document becomes if a suggestion is accepted, as far as the document alone says that. */
import type { Suggestion } from "@signalbox/acp/NesSchema"
import type { Edit, Lines, Position } from "@signalbox/acp/Positions"
import * as SearchAndReplace from "@signalbox/acp/SearchAndReplace"
import * as Effect from "effect/Effect"
import * as PatternSearch from "./PatternSearch.ts"

const word = /[\p{L}_$][\p{L}\p{N}_$]*/gu

/** Most places that one rename or replacement changes. */
export const mostPlaces = 5000
/** Most UTF-16 units that take these places. */
export const mostNewText = 4 * 1024 * 1024

/**
 * The edits of a suggestion in a file that it is about. Undefined if the suggestion changes no text, or more than
 * {@link mostPlaces}, or puts more than {@link mostNewText} there. Undefined also if the file alone does not say what
 * is changed.
 *
 * A rename takes the same word in the whole file.
 */
export const editsIn = (suggestion: Suggestion, lines: Lines): ReadonlyArray<Edit> | undefined => {
  switch (suggestion.kind) {
    case "edit":
      return suggestion.edits
    case "jump":
      return undefined
    case "rename": {
      const name = wordAt(lines, suggestion.position)
      return name === undefined ? undefined : replacing(lines, placesOfWord(lines.text, name), name, suggestion.newName)
    }
    case "searchAndReplace": {
      const { isRegex, replace, search } = suggestion
      // A pattern may take forever, and nothing here could stop it: see `textAfter`.
      return isRegex === true ? undefined : replacing(lines, placesOf(lines.text, search), search, replace)
    }
  }
}

/**
 * The text of a file after a suggestion about it. Undefined where {@link editsIn} is, but for patterns: these are
 * searched for, and stopped at a deadline.
 */
export const textAfter = (
  suggestion: Suggestion,
  lines: Lines,
  matcher: SearchAndReplace.Matcher
): Effect.Effect<string | undefined, SearchAndReplace.SearchRefused> => {
  if (suggestion.kind === "searchAndReplace" && suggestion.isRegex === true) return replaced(suggestion, lines, matcher)
  const edits = editsIn(suggestion, lines)
  return Effect.succeed(edits && lines.edit(edits).text)
}

/**
 * The edits of a pattern in a file, each place searched for by a deadline. Undefined if a place lies within a line
 * break or a character, where no position leads.
 */
export const patternEdits = (
  suggestion: Extract<Suggestion, { readonly kind: "searchAndReplace" }>,
  lines: Lines,
  matcher = PatternSearch.matcher()
): Effect.Effect<ReadonlyArray<Edit> | undefined, SearchAndReplace.SearchRefused> =>
  Effect.map(SearchAndReplace.placesIn(suggestion, lines.text, matcher), (places) => {
    const edits: Array<Edit> = []
    for (const { from, newText, to } of places) {
      const [start, end] = [lines.positionAt(from), lines.positionAt(to)]
      if (lines.offsetAt(start) !== from || lines.offsetAt(end) !== to) return undefined
      edits.push({ range: { start, end }, newText })
    }
    return edits
  })

const replaced = Effect.fnUntraced(function* (
  suggestion: Extract<Suggestion, { readonly kind: "searchAndReplace" }>,
  { text }: Lines,
  matcher: SearchAndReplace.Matcher
) {
  const places = yield* SearchAndReplace.placesIn(suggestion, text, matcher)
  let after = ""
  let at = 0
  for (const { from, newText, to } of places) {
    after += text.slice(at, from) + newText
    at = to
  }
  return after + text.slice(at)
})

/** Finds a word in a text. Each place is the number of UTF-16 units before it. */
export const placesOfWord = function* (text: string, name: string): Generator<number> {
  for (const { 0: found, index } of text.matchAll(word)) if (found === name) yield index
}

const placesOf = function* (text: string, search: string): Generator<number> {
  for (let at = text.indexOf(search); at !== -1; at = text.indexOf(search, at + search.length)) yield at
}

const replacing = (
  lines: Lines,
  places: Iterable<number>,
  old: string,
  newText: string
): ReadonlyArray<Edit> | undefined => {
  const edits: Array<Edit> = []
  for (const at of places) {
    if (edits.length === mostPlaces || (edits.length + 1) * newText.length > mostNewText) return undefined
    edits.push({ range: { start: lines.positionAt(at), end: lines.positionAt(at + old.length) }, newText })
  }
  return edits
}

/** The word at a position, or just before it. */
export const wordAt = (lines: Lines, { character, line }: Position): string | undefined => {
  for (const { 0: found, index } of (lines.line(line) ?? "").matchAll(word))
    if (index <= character && character <= index + found.length) return found
  return undefined
}
