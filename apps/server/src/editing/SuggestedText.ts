/** What a document becomes if a suggestion is accepted, as far as the document alone says that. */
import type { Suggestion } from "@signalbox/acp/NesSchema"
import type { Lines, Position } from "@signalbox/acp/Positions"

const word = /[\p{L}_$][\p{L}\p{N}_$]*/gu

/**
 * The text of a file after a suggestion about it. Undefined if the suggestion changes no text, or if the file alone
 * does not say what it changes.
 *
 * A rename takes the same word in the whole file.
 */
export const textAfter = (suggestion: Suggestion, lines: Lines): string | undefined => {
  switch (suggestion.kind) {
    case "edit":
      return lines.edit(suggestion.edits).text
    case "jump":
      return undefined
    case "rename": {
      const name = wordAt(lines, suggestion.position)
      if (name === undefined) return undefined
      return lines.text.replaceAll(word, (found) => (found === name ? suggestion.newName : found))
    }
    case "searchAndReplace": {
      const { isRegex, replace, search } = suggestion
      return isRegex === true ? undefined : lines.text.split(search).join(replace)
    }
  }
}

/** The word at a position, or just before it. */
export const wordAt = (lines: Lines, { character, line }: Position): string | undefined => {
  for (const { 0: found, index } of (lines.line(line) ?? "").matchAll(word))
    if (index <= character && character <= index + found.length) return found
  return undefined
}
