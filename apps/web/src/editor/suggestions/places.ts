/** The places of a renaming or a replacement: which of them are chosen, and what becomes of a file. */
import type { SuggestedPlace, SuggestedPlaces } from "@signalbox/contracts/Suggestions"
import type { LineEnd } from "@signalbox/contracts/Documents"
import type { Text } from "@codemirror/state"
import { changesOf, type Change } from "./edits.ts"
import { offsetOf } from "../reporting/positions.ts"

type SuggestedFile = SuggestedPlaces["files"][number]

/** The chosen places of one file. */
export interface ChosenFile {
  readonly path: string
  readonly places: ReadonlyArray<SuggestedPlace>
}

/** A place of a file, by its number. */
export const keyOf = (path: string, index: number): string => `${index}\n${path}`

export const allKeys = (files: ReadonlyArray<SuggestedFile>): ReadonlySet<string> =>
  new Set(files.flatMap(({ path, places }) => places.map((_, index) => keyOf(path, index))))

export const chosenOf = (files: ReadonlyArray<SuggestedFile>, keys: ReadonlySet<string>): ReadonlyArray<ChosenFile> =>
  files
    .map(({ path, places }) => ({ path, places: places.filter((_, index) => keys.has(keyOf(path, index))) }))
    .filter(({ places }) => places.length > 0)

/** Files of prose, by their endings. */
const prose = /\.(?:adoc|asciidoc|markdown|md|mdx|rst|txt)$/i

/** What begins a comment, in one language or another. */
const comment = /^\s*(?:\*(?=[\s/])|#(?=[\s!])|--\s)|(?:^|\s)\/\/|\/\*|<!--|\s#\s/

/**
 * Whether a place stands in prose: in a document, a comment or a text in quotes. Read from its line alone, so a comment of several
 * lines without signs is not known.
 */
export const isProse = (path: string, place: SuggestedPlace): boolean => {
  if (prose.test(path)) return true
  const [before] = partsOf(place)
  return comment.test(before) || isQuoted(before, path.endsWith(".rs") ? '"' : "\"'")
}

/** Whether one of the quotes is open at the end of a text. */
const isQuoted = (text: string, quotes: string): boolean => {
  let open = ""
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at)
    if (letter === "\\") at += 1
    else if (open === "" && quotes.includes(letter)) open = letter
    else if (letter === open) open = ""
  }
  return open !== ""
}

/** The places that are chosen before people have looked: a renaming leaves prose out. */
export const proposedKeys = (
  kind: "rename" | "searchAndReplace",
  files: ReadonlyArray<SuggestedFile>
): ReadonlySet<string> =>
  new Set(
    files.flatMap(({ path, places }) =>
      places.flatMap((place, index) => (kind === "rename" && isProse(path, place) ? [] : [keyOf(path, index)]))
    )
  )

/** What of chosen places can be done in a text: those whose line is still what people saw. */
export const applicable = (
  doc: Text,
  lineEnd: LineEnd,
  places: ReadonlyArray<SuggestedPlace>
): { readonly changes: ReadonlyArray<Change>; readonly leftOut: number } => {
  const same = places.filter(({ line, range: { start } }) => {
    const at = offsetOf(doc, lineEnd, { line: start.line, character: 0 })
    const now = doc.lineAt(at)
    const text = lineEnd === "mixed" ? (now.text.slice(at - now.from).split("\r")[0] ?? "") : now.text
    return text === line && (lineEnd === "mixed" || now.number === start.line + 1)
  })
  const changes = changesOf(doc, lineEnd, same)
  return changes === undefined
    ? { changes: [], leftOut: places.length }
    : { changes, leftOut: places.length - same.length }
}

/** A line in parts: before the place, what goes, what comes, and behind it. */
export const partsOf = ({
  line,
  newText,
  range: { end, start }
}: SuggestedPlace): readonly [string, string, string, string] => {
  const to = end.line === start.line ? end.character : line.length
  return [line.slice(0, start.character), line.slice(start.character, to), newText, line.slice(to)]
}
