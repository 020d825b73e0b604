/** Suggestions to replace a pattern, as the edits that editors take. */
import type { Suggestion } from "@signalbox/acp/NesSchema"
import type { Lines } from "@signalbox/acp/Positions"
import type { Matcher } from "@signalbox/acp/SearchAndReplace"
import * as Effect from "effect/Effect"
import { patternEdits } from "../../editing/SuggestedText.ts"

/**
 * The suggestion with its edits in the place of its pattern, and any other suggestion as it is. Fails with a clause
 * that begins with a verb if nobody can say what it changes.
 *
 * @param linesOf the text of a document that is open
 * @param matcher the one for all suggestions of this answer
 */
export const withoutPattern = (
  suggestion: Suggestion,
  linesOf: (uri: string) => Lines | undefined,
  matcher: Matcher
): Effect.Effect<Suggestion, string> => {
  if (suggestion.kind !== "searchAndReplace" || suggestion.isRegex !== true) return Effect.succeed(suggestion)
  const { id, uri } = suggestion
  const lines = linesOf(uri)
  if (lines === undefined) return Effect.fail("replaces a pattern in a folder, or in a file that is not open")
  return patternEdits(suggestion, lines, matcher).pipe(
    Effect.mapError(({ message }) => `replaces a pattern, and that can't be shown: ${message}`),
    Effect.flatMap((edits) =>
      edits === undefined || edits.length === 0
        ? Effect.fail("replaces a pattern that leads to no place")
        : Effect.succeed({ kind: "edit", id, uri, edits })
    )
  )
}
