/** Reads the suggestions of a response. Refuses by named reasons what can't be shown, or is not safe to apply. */
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Lenient from "../schema/Lenient.ts"
import { Lines } from "../text/Lines.ts"
import type { Place } from "../text/Lines.ts"
import type { Position, PositionEncoding, Range } from "../text/Position.ts"
import * as Places from "./Places.ts"
import { type Kind, Suggestion } from "./Schema.ts"

/** Why a suggestion is refused. */
export type Reason =
  /** It is not what the protocol says, even when read leniently. */
  | "malformed"
  /** Its kind is in no version of the protocol that is known here. */
  | "unknownKind"
  /** This client has not offered its kind. */
  | "notOffered"
  /** Another suggestion of the session has its id. */
  | "duplicateId"
  /** Its document is not open, and nobody has its text. */
  | "notOpen"
  /** It names a line that its document does not have. */
  | "outOfRange"
  /** It begins or ends within a character. */
  | "insideCharacter"
  /** A range ends before it begins. */
  | "inverted"
  /** Two of its edits change the same text. */
  | "overlapping"
  /** It changes nothing, or searches for nothing. */
  | "empty"
  | "tooLarge"
  /** There were more suggestions in the response than are looked at. */
  | "tooMany"
  /** Its document has changed since the request. */
  | "stale"

/** A refused suggestion, as far as it could be read. */
export interface Refusal {
  readonly reason: Reason
  readonly id: string | undefined
  readonly kind: string | undefined
  readonly uri: string | undefined
}

export interface Limits {
  /** Most suggestions of one response. */
  readonly suggestions: number
  /** Most edits of one suggestion. */
  readonly edits: number
  /** Most UTF-16 units of one suggestion. */
  readonly characters: number
}

export const defaultLimits: Limits = { suggestions: 100, edits: 1_000, characters: 1_048_576 }

/** The longest id. A longer one is no id, and is not sent back. */
const longestId = 1_024

const readSuggestion = Lenient.reader(Suggestion)

const kinds: ReadonlyArray<string> = ["edit", "jump", "rename", "searchAndReplace"] satisfies ReadonlyArray<Kind>

type Read = { readonly suggestion: Suggestion } | Refusal

/** The suggestions of a response one by one, in order. Undefined if there is no list. */
export const read = (
  result: unknown,
  isOffered: (kind: Kind) => boolean,
  limits: Limits
): ReadonlyArray<Read> | undefined => {
  const list = Predicate.isObject(result) ? result["suggestions"] : undefined
  if (!Array.isArray(list)) return undefined
  const ids = new Set<string>()
  return list.map((item: unknown, index) => {
    const refused = refusalOf(item)
    const { id, kind } = refused("malformed")
    if (id !== undefined && ids.has(id)) return refused("duplicateId")
    if (id !== undefined) ids.add(id)
    if (index >= limits.suggestions) return refused("tooMany")
    if (kind !== undefined && !kinds.includes(kind)) return refused("unknownKind")
    const reading = readSuggestion(item)
    if (id === undefined || Result.isFailure(reading)) return refused("malformed")
    const suggestion = reading.success.value
    if (!isOffered(suggestion.kind)) return refused("notOffered")
    if (isTooLarge(suggestion, limits)) return refused("tooLarge")
    return isEmpty(suggestion) ? refused("empty") : { suggestion }
  })
}

/** Refuses a suggestion of which nothing is known yet. */
const refusalOf = (item: unknown) => {
  const { id, kind, uri } = Predicate.isObject(item) ? item : {}
  const textOf = (value: unknown) => (typeof value === "string" && value.length <= longestId ? value : undefined)
  return (reason: Reason): Refusal => ({ reason, id: textOf(id), kind: textOf(kind), uri: textOf(uri) })
}

const isTooLarge = (suggestion: Suggestion, { characters, edits }: Limits): boolean => {
  const texts = [suggestion.uri]
  if (suggestion.kind === "edit") {
    if (suggestion.edits.length > edits) return true
    for (const { newText } of suggestion.edits) texts.push(newText)
  } else if (suggestion.kind === "rename") texts.push(suggestion.newName)
  else if (suggestion.kind === "searchAndReplace") texts.push(suggestion.search, suggestion.replace)
  return texts.reduce((sum, text) => sum + text.length, 0) > characters
}

const isEmpty = (suggestion: Suggestion): boolean =>
  (suggestion.kind === "edit" && suggestion.edits.length === 0) ||
  (suggestion.kind === "rename" && suggestion.newName === "") ||
  (suggestion.kind === "searchAndReplace" && suggestion.search === "")

/** Whether a suggestion is about places in its document. */
export const hasPlaces = ({ kind }: Suggestion): boolean => kind !== "searchAndReplace"

/** The suggestion in UTF-16, or why its places do not fit its text. */
export const placed = (
  suggestion: Suggestion,
  lines: Lines | undefined,
  encoding: PositionEncoding
): Suggestion | Reason => {
  if (!hasPlaces(suggestion)) return suggestion
  if (lines === undefined) return "notOpen"
  const reason = suggestion.kind === "edit" ? faultOfEdits(suggestion.edits, lines, encoding) : undefined
  const fault = reason ?? ("position" in suggestion ? faultOf(lines.place(suggestion.position, encoding)) : undefined)
  return fault ?? Places.inSuggestion(suggestion, lines, encoding, "utf-16")
}

const faultOf = ({ fit }: Place): Reason | undefined =>
  fit === "beyondText" ? "outOfRange" : fit === "insideCharacter" ? "insideCharacter" : undefined

const faultOfEdits = (
  edits: ReadonlyArray<{ readonly range: Range }>,
  lines: Lines,
  encoding: PositionEncoding
): Reason | undefined => {
  const ranges: Array<{ readonly start: number; readonly end: number }> = []
  for (const { range } of edits) {
    const start = lines.place(range.start, encoding)
    const end = lines.place(range.end, encoding)
    const fault = faultOf(start) ?? (isEndOfText(lines, range.end) ? undefined : faultOf(end))
    if (fault !== undefined) return fault
    if (isBefore(range.end, range.start)) return "inverted"
    ranges.push({ start: start.offset, end: end.offset })
  }
  let last = 0
  for (const { end, start } of ranges.toSorted((one, other) => one.start - other.start || one.end - other.end)) {
    if (start < last) return "overlapping"
    last = end
  }
  return undefined
}

const isBefore = (one: Position, other: Position): boolean =>
  one.line < other.line || (one.line === other.line && one.character < other.character)

/** Editors write the end of a whole text as the beginning of the line behind the last one. */
const isEndOfText = ({ count }: Lines, { character, line }: Position): boolean => line === count && character === 0
