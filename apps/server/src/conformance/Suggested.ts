/** Reads the suggestions of an answer as they came. They may hold any JSON. */
import { type Json, listIn, objectIn } from "./Messages.ts"
import type { Question } from "./SuggestionEditor.ts"

/** The suggestions of an answer; none if it has no list. */
export const rawIn = ({ answer }: Question): ReadonlyArray<Json> =>
  answer.type === "result" ? listIn(answer.result, "suggestions") : []

const nouns: ReadonlyMap<unknown, readonly [one: string, more: string]> = new Map([
  ["edit", ["edit", "edits"]],
  ["jump", ["jump", "jumps"]],
  ["rename", ["rename", "renames"]],
  ["searchAndReplace", ["search and replace", "searches and replaces"]]
])
const otherKind = ["of another kind", "of other kinds"] as const

/** The numbers of suggestions by kind, such as `2 edits, 1 jump`. */
export const counted = (question: Question): string => {
  const groups = Map.groupBy(rawIn(question), ({ kind }) => nouns.get(kind) ?? otherKind)
  const parts = [...groups].map(([[one, more], those]) => `${those.length} ${those.length === 1 ? one : more}`)
  return parts.join(", ") || "nothing"
}

/** The positions that a suggestion names. */
const positionsIn = (suggestion: Json): ReadonlyArray<Json> => [
  objectIn(suggestion, "position"),
  ...listIn(suggestion, "edits").flatMap((edit) => {
    const range = objectIn(edit, "range")
    return [objectIn(range, "start"), objectIn(range, "end")]
  })
]

/** Whether an answer names a line of its document that was there only before the last change. */
export const isAboutBefore = (question: Question): boolean => {
  const { before, lines, uri } = question
  const isGone = ({ character, line }: Json) =>
    typeof line === "number" &&
    line >= lines.count &&
    line < before.count &&
    // Editors write the end of a text in this way, too.
    !(line === lines.count && character === 0)
  return rawIn(question).some((suggestion) => suggestion["uri"] === uri && positionsIn(suggestion).some(isGone))
}
