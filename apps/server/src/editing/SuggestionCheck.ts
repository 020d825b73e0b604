/** Looks at the suggestions of an agent before anybody sees them. What can't be shown is left out, with the reason. */
import type * as Nes from "@signalbox/acp/Nes"
import type { Suggestion } from "@signalbox/acp/NesSchema"
import type { Lines } from "@signalbox/acp/Positions"

/** A suggestion that is left out. `why`: a clause that begins with a verb. */
export interface Dropped {
  readonly kind: string
  readonly id?: string
  readonly why: string
  readonly reason: Reason
}

/** Why a suggestion is left out, as it is counted. `withheld`: its file is left alone. */
export type Reason = Nes.Reason | "withheld"

/** What is known of the file of a suggestion. */
export interface Target {
  /** Why nothing may be suggested for it; undefined if it may. */
  readonly withheld: string | undefined
  /** Its text, if it is open. */
  readonly lines: Lines | undefined
}

/** Most suggestions of one answer, most edits of one suggestion, and most characters of one. */
export const mostSuggestions = 20
export const mostEdits = 500
export const mostCharacters = 1024 * 1024

export interface Checked {
  readonly shown: ReadonlyArray<Suggestion>
  readonly dropped: ReadonlyArray<Dropped>
}

/** Looks at suggestions that the session with the agent has let pass. */
export const check = (suggestions: ReadonlyArray<Suggestion>, targetOf: (uri: string) => Target): Checked => {
  const shown: Array<Suggestion> = []
  const dropped: Array<Dropped> = []
  for (const suggestion of suggestions) {
    const { id, kind } = suggestion
    const found = fault(suggestion, targetOf(suggestion.uri))
    if (found === undefined) shown.push(suggestion)
    else dropped.push({ kind, id: id.slice(0, 200), ...found })
  }
  return { shown, dropped }
}

/** Says why the session with the agent has refused a suggestion. */
export const refused = ({ id, kind = "unknown", reason }: Nes.Refusal): Dropped => ({
  kind,
  ...(id !== undefined && { id: id.slice(0, 200) }),
  why: kind === "edit" || reason !== "outOfRange" ? reasons[reason] : "names a line behind the end of the file",
  reason
})

const reasons: { readonly [reason in Nes.Reason]: string } = {
  malformed: "is not what the protocol says",
  unknownKind: "is of an unknown kind",
  notOffered: "is of a kind that nobody can show here",
  duplicateId: "has the id of another suggestion",
  notOpen: "is about a file that is left alone: it is not open, and can't be read in the workspace",
  outOfRange: "has edits behind the end of the file",
  insideCharacter: "begins or ends within a character",
  inverted: "has a range that ends before it begins",
  overlapping: "has edits that overlap",
  empty: "changes nothing, or searches for nothing",
  tooLarge: "is longer, or has more edits, than is taken",
  tooMany: `is beyond the ${mostSuggestions} that are taken of one answer`,
  stale: "is about a text that has changed since"
}

const fault = (suggestion: Suggestion, { lines, withheld }: Target): Pick<Dropped, "reason" | "why"> | undefined => {
  if (withheld !== undefined) return { reason: "withheld", why: `is about a file that is left alone: ${withheld}` }
  switch (suggestion.kind) {
    case "edit":
      return lines !== undefined && isSame(lines, lines.edit(suggestion.edits))
        ? { reason: "empty", why: "changes nothing" }
        : undefined
    case "rename":
      return suggestion.newName.trim() === "" ? { reason: "empty", why: "has no usable name" } : undefined
    case "jump":
    case "searchAndReplace":
      return undefined
  }
}

/** A text is joined from its pieces only if its length leaves a doubt. */
const isSame = (one: Lines, other: Lines): boolean => one.length === other.length && one.text === other.text
