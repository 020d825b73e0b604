/** A suggestion for people: a unified diff where the change can be computed, else a sentence. */
import type { Suggestion } from "@signalbox/acp/NesSchema"
import * as Positions from "@signalbox/acp/Positions"
import type { Matcher } from "@signalbox/acp/SearchAndReplace"
import { unifiedDiff } from "@signalbox/contracts/UnifiedDiff"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { relative } from "node:path"
import type * as ByteOrderMark from "../../base/ByteOrderMark.ts"
import { oneLine } from "../../base/Plain.ts"
import * as Sendable from "../../editing/Sendable.ts"
import { textAfter, wordAt } from "../../editing/SuggestedText.ts"

export interface Described {
  readonly suggestion: Suggestion
  /** A sentence, without its full stop. */
  readonly words: string
  /** Undefined if the change can't be computed. */
  readonly diff: string | undefined
  /** Whether its file would be what it is. */
  readonly changesNothing: boolean
}

/** The texts of the files that suggestions are about, by their URI. */
export type Texts = ReadonlyMap<string, ByteOrderMark.Parted>

export const describe = Effect.fnUntraced(function* (
  suggestion: Suggestion,
  { matcher, root, texts }: { readonly texts: Texts; readonly root: string; readonly matcher: Matcher }
) {
  const file = texts.get(suggestion.uri)
  const lines = file && Positions.of(file.text)
  const path = nameOf(suggestion.uri, root)
  const after = yield* Effect.result(lines === undefined ? Effect.undefined : textAfter(suggestion, lines, matcher))
  const newText = Result.getOrUndefined(after)
  const diff =
    file === undefined || newText === undefined
      ? undefined
      : unifiedDiff({ path, oldText: file.mark + file.text, newText: file.mark + newText })
  const words = wordsOf(suggestion, path, lines, diff !== undefined)
  const described: Described = {
    suggestion,
    words: Result.isFailure(after) ? `${words}. ${after.failure.message}` : words,
    diff: diff === "" ? undefined : diff,
    changesNothing: diff === ""
  }
  return described
})

const nameOf = (uri: string, root: string): string => relative(root, Sendable.pathOf(uri) ?? uri) || "."

const wordsOf = (
  suggestion: Suggestion,
  path: string,
  lines: Positions.Lines | undefined,
  hasDiff: boolean
): string => {
  const file = oneLine(path)
  switch (suggestion.kind) {
    case "edit":
      return hasDiff ? `Edit ${file}` : `Edit ${file} in ${placesText(suggestion.edits.length)}`
    case "jump":
      return `Go to ${file}:${placeText(suggestion.position)}`
    case "rename": {
      const name = lines && wordAt(lines, suggestion.position)
      const what = name === undefined ? "what is there" : oneLine(name)
      const how = hasDiff ? ", by words of the file" : ""
      return `Rename ${what} at ${file}:${placeText(suggestion.position)} to ${oneLine(suggestion.newName)}${how}`
    }
    case "searchAndReplace": {
      const pattern = suggestion.isRegex === true ? "the pattern " : ""
      return `Replace ${pattern}${quoted(suggestion.search)} by ${quoted(suggestion.replace)} in ${file}`
    }
  }
}

const placesText = (count: number): string => (count === 1 ? "one place" : `${count} places`)

/** A position as editors show it, from 1. */
const placeText = ({ character, line }: Positions.Position): string => `${line + 1}:${character + 1}`

const quoted = (text: string): string => oneLine(JSON.stringify(text))
