/**
 * The places that a suggestion to search and replace is about. A plain search is done here. A regular expression of an
 * agent may run forever. So it is given to a {@link Matcher}, which can be stopped.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Suggestion } from "./NesSchema.ts"

/** A place of a text that is replaced. Offsets count in UTF-16. */
export interface Replacement {
  readonly from: number
  readonly to: number
  readonly newText: string
}

/** A match of a regular expression. */
export interface Match {
  readonly start: number
  readonly end: number
  /** The text of each group, from the first. A group that took no part has none. */
  readonly groups: ReadonlyArray<string | undefined>
  readonly named: { readonly [name: string]: string | undefined }
}

/** A search by a regular expression. */
export interface Search {
  readonly pattern: string
  readonly text: string
  /** Most matches. */
  readonly most: number
}

/**
 * No places are given.
 *
 * - `noMatcher`: it is a regular expression, and nothing here can stop one.
 * - `invalid`: it is no regular expression.
 * - `tooSlow`: the search was stopped at its deadline.
 * - `noTime`: the searches before it took all the time that there was for them.
 * - `tooMany`: there are more places than are replaced.
 * - `tooLarge`: what takes the places is too long.
 * - `failed`: the matcher ended by itself.
 */
export class SearchRefused extends Schema.TaggedError<SearchRefused>()("SearchRefused", {
  reason: Schema.Literals(["noMatcher", "invalid", "tooSlow", "noTime", "tooMany", "tooLarge", "failed"]),
  message: Schema.String
}) {}

/**
 * Finds the matches of a regular expression in another thread, and stops it at a deadline. Flags: `g`, `m` and, if the
 * pattern permits it, `u`. One match more than `most` says that there are too many.
 */
export type Matcher = (search: Search) => Effect.Effect<ReadonlyArray<Match>, SearchRefused>

/** Most places that one suggestion replaces in one text. */
export const mostPlaces = 10_000
/** Most UTF-16 units that take these places. */
export const mostNewText = 16 * 1_048_576

type SearchAndReplace = Extract<Suggestion, { readonly kind: "searchAndReplace" }>

/**
 * The places in a text, in order. The replacement of a regular expression may name what was found: `$&` the match, `$1`
 * and `$<name>` a group. `$$` is a dollar sign.
 */
export const placesIn = (
  { isRegex, replace, search }: Pick<SearchAndReplace, "isRegex" | "replace" | "search">,
  text: string,
  matcher?: Matcher
): Effect.Effect<ReadonlyArray<Replacement>, SearchRefused> => {
  if (isRegex !== true) return checked(plainly(search, replace, text))
  if (matcher === undefined) return Effect.fail(refused("noMatcher"))
  const matches = matcher({ pattern: search, text, most: mostPlaces + 1 })
  return Effect.flatMap(matches, (found) =>
    // Each match reads the whole template, so a long one costs as much as a long text.
    found.length * replace.length > mostNewText
      ? Effect.fail(refused("tooLarge"))
      : checked(replacements(found, replace, text))
  )
}

const messages: { readonly [reason in SearchRefused["reason"]]: string } = {
  noMatcher: "It is a regular expression, and nothing here can stop one that runs forever",
  invalid: "It is no regular expression",
  tooSlow: "The regular expression was stopped, since it ran too long",
  noTime: "Patterns before it took all the time that there was",
  tooMany: `There are more than ${mostPlaces} places`,
  tooLarge: "The new text, or its template, is too long",
  failed: "The search has failed"
}

/** A refusal in words. */
export const refused = (reason: SearchRefused["reason"], detail?: string): SearchRefused =>
  new SearchRefused({ reason, message: detail === undefined ? messages[reason] : `${messages[reason]}: ${detail}` })

const plainly = function* (search: string, newText: string, text: string): Generator<Replacement> {
  if (search === "") return
  for (let from = text.indexOf(search); from !== -1; from = text.indexOf(search, from + search.length)) {
    yield { from, to: from + search.length, newText }
  }
}

const replacements = function* (matches: Iterable<Match>, template: string, text: string): Generator<Replacement> {
  let room = mostNewText
  for (const match of matches) {
    const newText = expanded(template, match, text, room)
    room -= newText.length
    yield { from: match.start, to: match.end, newText }
  }
}

// A name ends at `<`, too: else each `$<` of a hostile template would read on to its end.
const placeholder = /\$(?:\$|&|(\d{1,2})|<([^<>]*)>)/g

/** The text for a match. One that is longer than `room` is cut somewhere behind that. */
const expanded = (template: string, match: Match, text: string, room: number): string => {
  let newText = ""
  let at = 0
  for (const { 0: whole, 1: number, 2: name, index } of template.matchAll(placeholder)) {
    newText += template.slice(at, index) + (standsFor(whole, number, name, match, text) ?? whole)
    at = index + whole.length
    if (newText.length > room) return newText
  }
  return newText + template.slice(at)
}

/** What a placeholder stands for. Undefined if the match has nothing of that name or number. */
const standsFor = (
  whole: string,
  number: string | undefined,
  name: string | undefined,
  { end, groups, named, start }: Match,
  text: string
): string | undefined => {
  if (whole === "$$") return "$"
  if (whole === "$&") return text.slice(start, end)
  if (name !== undefined) return Object.hasOwn(named, name) ? (named[name] ?? "") : undefined
  const index = Number(number)
  return index >= 1 && index <= groups.length ? (groups[index - 1] ?? "") : undefined
}

const checked = (places: Iterable<Replacement>): Effect.Effect<ReadonlyArray<Replacement>, SearchRefused> =>
  Effect.suspend(() => {
    const all: Array<Replacement> = []
    let length = 0
    for (const place of places) {
      length += place.newText.length
      if (all.length === mostPlaces) return Effect.fail(refused("tooMany"))
      if (length > mostNewText) return Effect.fail(refused("tooLarge"))
      all.push(place)
    }
    return Effect.succeed(all)
  })
