/**
 * The suggestions that have no end yet. Each of them ends exactly once. Pure data with its own ids, since those of an
 * agent are unique for one session only.
 */
import type { RejectReason, Suggestion } from "@signalbox/acp/NesSchema"
import type { Position } from "@signalbox/acp/Positions"
import type { TextChange } from "./Documents.ts"

/** A suggestion as editors get it: its `id` is ours. */
export type OfferedSuggestion = Suggestion

interface Open {
  readonly offered: OfferedSuggestion
  /** The agent's id. */
  readonly agentId: string
  /** The document that it was asked for. */
  readonly askedFor: string
}

/** The end of a suggestion, for the agent. */
export interface End {
  readonly agentId: string
  readonly reason: RejectReason | "accepted"
}

/** What is left of a suggestion after its beginning was typed, and the place behind what was typed. */
export interface Rest {
  readonly suggestion: OfferedSuggestion
  readonly position: Position
}

export interface OpenSuggestions {
  readonly isOpen: (id: string) => boolean
  /** A suggestion without an end, as it is now. */
  readonly get: (id: string) => OfferedSuggestion | undefined
  /** Takes an answer. The earlier suggestions for the document end as `replaced`. */
  readonly take: (
    askedFor: string,
    suggestions: ReadonlyArray<Suggestion>
  ) => { readonly offered: ReadonlyArray<OfferedSuggestion>; readonly ends: ReadonlyArray<End> }
  /** Ends one suggestion; undefined if it has ended. */
  readonly end: (id: string, reason: End["reason"]) => End | undefined
  /** Ends the suggestions of a document, or all of them. */
  readonly endAll: (reason: RejectReason, askedFor?: string) => ReadonlyArray<End>
  /**
   * A text has changed. What was typed as it was suggested stays open, as the rest of it, and all others end as
   * `ignored`.
   */
  readonly typed: (
    uri: string,
    changes: ReadonlyArray<TextChange>
  ) => { readonly kept: ReadonlyArray<Rest>; readonly ends: ReadonlyArray<End> }
}

export const make = (): OpenSuggestions => {
  const open = new Map<string, Open>()
  // An id means nothing at another desk.
  const prefix = crypto.randomUUID().slice(0, 8)
  let last = 0

  const end: OpenSuggestions["end"] = (id, reason) => {
    const found = open.get(id)
    if (found === undefined) return undefined
    open.delete(id)
    return { agentId: found.agentId, reason }
  }

  const endThose = (isMeant: (one: Open) => boolean, reason: RejectReason): ReadonlyArray<End> =>
    [...open].flatMap(([id, one]) => (isMeant(one) ? (end(id, reason) ?? []) : []))

  return {
    isOpen: (id) => open.has(id),
    get: (id) => open.get(id)?.offered,
    take: (askedFor, suggestions) => {
      const ends = endThose((one) => one.askedFor === askedFor, "replaced")
      const offered = suggestions.map((suggestion): OfferedSuggestion => {
        last += 1
        const ours = { ...suggestion, id: `${prefix}-${last}` }
        open.set(ours.id, { offered: ours, agentId: suggestion.id, askedFor })
        return ours
      })
      return { offered, ends }
    },
    end,
    endAll: (reason, askedFor) => endThose((one) => askedFor === undefined || one.askedFor === askedFor, reason),
    typed: (uri, changes) => {
      const kept: Array<Rest> = []
      const isTouched = (one: Open) => one.askedFor === uri || one.offered.uri === uri
      const ends = [...open].flatMap(([id, one]) => {
        if (!isTouched(one)) return []
        const rest = one.offered.uri === uri ? restOf(one.offered, changes) : undefined
        if (rest === undefined) return end(id, "ignored") ?? []
        open.set(id, { ...one, offered: rest.suggestion })
        kept.push(rest)
        return []
      })
      return { kept, ends }
    }
  }
}

/** The rest of an insertion whose beginning was typed. Undefined if anything else was typed. */
const restOf = (offered: OfferedSuggestion, changes: ReadonlyArray<TextChange>): Rest | undefined => {
  const [change, ...more] = changes
  if (offered.kind !== "edit" || !change?.range || more.length > 0) return undefined
  const [edit, ...others] = offered.edits
  if (edit === undefined || others.length > 0) return undefined
  const { end, start } = edit.range
  const at = change.range
  const isInsertion = isSame(start, end) && isSame(at.start, at.end) && isSame(at.start, start)
  const isRest = isInsertion && change.text !== "" && edit.newText.startsWith(change.text)
  if (!isRest || edit.newText.length === change.text.length || /[\r\n]/.test(change.text)) return undefined
  const position = { line: start.line, character: start.character + change.text.length }
  const rest = { range: { start: position, end: position }, newText: edit.newText.slice(change.text.length) }
  return { suggestion: { ...offered, edits: [rest] }, position }
}

const isSame = (one: Position, other: Position): boolean => one.line === other.line && one.character === other.character
