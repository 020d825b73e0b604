/** Why a program came to nothing, with the line and the place in it. */
import * as Schema from "effect/Schema"

/**
 * - `syntax`: the text is no program.
 * - `name`: it calls what does not exist.
 * - `arguments`: a function can't use what it got.
 * - `limit`: it asks for more than one program may have.
 * - `failed`: a function could not answer.
 */
export const Reason = Schema.Literals(["syntax", "name", "arguments", "limit", "failed"])
export type Reason = typeof Reason.Type

export class ProgramError extends Schema.TaggedError<ProgramError>()("ProgramError", {
  reason: Reason,
  /** A sentence that names the mistake, then the line of the program with a caret below the place. */
  message: Schema.String,
  /** From 1. */
  line: Schema.Int,
  /** From 1, in characters. */
  column: Schema.Int
}) {}

/** Most characters that are shown before and behind the place. */
const mostBefore = 60
const mostBehind = 40

/** Characters that would move the caret, or that nobody sees, as a blank. */
const visible = (text: string): string => text.replaceAll(/[\p{C}\p{Z}]/gu, " ")

/** The characters of a text, without the half of one at its beginning or end. */
const characters = (text: string): ReadonlyArray<string> => Array.from(text)

/** An error at an offset of a program. */
export const at = (source: string, offset: number, reason: Reason, words: string): ProgramError => {
  const place = Math.min(Math.max(offset, 0), source.length)
  let line = 1
  let begin = 0
  for (let next = source.indexOf("\n"); next !== -1 && next < place; next = source.indexOf("\n", next + 1)) {
    line += 1
    begin = next + 1
  }
  const found = source.indexOf("\n", place)
  const end = found === -1 ? source.length : found
  const before = characters(source.slice(begin, place))
  const behind = characters(source.slice(place, end))
  const shown = before.slice(-mostBefore)
  const left = `${before.length > shown.length ? "…" : ""}${visible(shown.join(""))}`
  const right = `${visible(behind.slice(0, mostBehind).join(""))}${behind.length > mostBehind ? "…" : ""}`
  const column = before.length + 1
  return new ProgramError({
    reason,
    line,
    column,
    message: `Line ${line}, column ${column}: ${words}\n  ${left}${right.trimEnd()}\n  ${" ".repeat(characters(left).length)}^`
  })
}
