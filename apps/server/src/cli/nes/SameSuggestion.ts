/**
 * Whether two suggestions for the same text are the same to a person. Two edits are if they make the same text, however
 * they are cut into pieces. Where the cursor goes then does not count.
 */
import type { Suggestion } from "@signalbox/acp/NesSchema"
import type { Lines } from "@signalbox/acp/Positions"
import { createHash } from "node:crypto"
import { wordAt } from "../../editing/SuggestedText.ts"

/** The open documents as they were when both agents were asked, by their URI. */
export type Texts = ReadonlyMap<string, Lines>

/** Looks for each suggestion of the first list in the second. Returns the place of the same one; -1 if it is not there. */
export const placesIn = (
  suggestions: ReadonlyArray<Suggestion>,
  others: ReadonlyArray<Suggestion>,
  texts: Texts
): ReadonlyArray<number> => {
  if (others.length === 0) return suggestions.map(() => -1)
  const keys = others.map((other) => keyOf(other, texts.get(other.uri)))
  return suggestions.map((suggestion) => keys.indexOf(keyOf(suggestion, texts.get(suggestion.uri))))
}

/** A short text that two suggestions have in common if they are the same. */
const keyOf = (suggestion: Suggestion, lines: Lines | undefined): string => {
  const { kind, uri } = suggestion
  switch (kind) {
    case "edit": {
      const { edits } = suggestion
      const inOrder = edits.toSorted(
        ({ range: { start: one } }, { range: { start: other } }) =>
          one.line - other.line || one.character - other.character
      )
      return digest([kind, uri, ...(lines === undefined ? inOrder : [lines.edit(edits).text])])
    }
    case "jump":
      return digest([kind, uri, suggestion.position])
    case "rename": {
      const { newName, position } = suggestion
      return digest([kind, uri, newName, (lines && wordAt(lines, position)) ?? position])
    }
    case "searchAndReplace": {
      const { isRegex, replace, search } = suggestion
      return digest([kind, uri, search, replace, isRegex === true])
    }
  }
}

const digest = (parts: ReadonlyArray<unknown>): string => {
  const hash = createHash("sha256")
  // Members of an object may come in any order.
  for (const part of parts)
    hash.update(`${JSON.stringify(part, ["range", "newText", "start", "end", "line", "character"])}\n`)
  return hash.digest("base64")
}
