/** A suggestion as VS Code can show it, in the text that it was made for. Pure. */
import * as Positions from "@signalbox/acp/Positions"
import type { TextPosition } from "@signalbox/contracts/DocumentReport"
import type { Suggestion } from "@signalbox/contracts/Suggestions"
import { applied, type Change, changesOf, endOf } from "./Change.ts"

/** A text of the editor, and where its caret is. */
export interface Scene {
  /** The path by which the server knows the document. */
  readonly path: string
  readonly version: number
  readonly text: string
  readonly lineEnd: string
  readonly caret: TextPosition
  /** Whether VS Code shows text that is only put in at the caret, by the person's settings. */
  readonly hasGhosts: boolean
}

interface Made {
  readonly id: string
  readonly path: string
  /** The version of the text that it is about. */
  readonly version: number
}

/** An edit of the shown text. `after`: the text that it makes. */
export interface OfferedEdit extends Made {
  /** `ghost`: VS Code draws it at the caret as grey text, and `Tab` is its own. */
  readonly type: "ghost" | "edit"
  readonly changes: ReadonlyArray<Change>
  readonly after: string
  /** The offset of the caret in the text after it. */
  readonly caret: number
}

/**
 * What else a suggestion is.
 *
 * - `jump`: a place in this text.
 * - `elsewhere`: a place in another file, or an edit of it.
 * - `places`: a rename, or a search with a replacement.
 */
export type Offer =
  | OfferedEdit
  | (Made & { readonly type: "jump"; readonly position: TextPosition })
  | (Made & {
      readonly type: "elsewhere"
      readonly suggestion: Extract<Suggestion, { readonly kind: "edit" | "jump" }>
    })
  | (Made & {
      readonly type: "places"
      readonly suggestion: Extract<Suggestion, { readonly kind: "rename" | "searchAndReplace" }>
    })

/** Undefined if nothing of it can be shown. */
export const offerOf = (scene: Scene, suggestion: Suggestion): Offer | undefined => {
  const made = { id: suggestion.id, path: scene.path, version: scene.version }
  if (suggestion.kind === "rename" || suggestion.kind === "searchAndReplace")
    return { ...made, type: "places", suggestion }
  if (suggestion.path !== scene.path) return { ...made, type: "elsewhere", suggestion }
  return suggestion.kind === "jump"
    ? { ...made, type: "jump", position: suggestion.position }
    : editOf(scene, suggestion)
}

/** An edit of the shown text. Undefined if it changes nothing, or its parts overlap. */
export const editOf = (
  { caret, hasGhosts, lineEnd, path, text, version }: Scene,
  { cursor, edits, id }: Extract<Suggestion, { readonly kind: "edit" }>
): OfferedEdit | undefined => {
  const lines = Positions.of(text)
  const changes = changesOf(lines, lineEnd, edits)
  const [first, ...more] = changes ?? []
  if (changes === undefined || first === undefined) return undefined
  const after = applied(text, changes)
  const isGhost = hasGhosts && more.length === 0 && isGrey(lines, first, lines.offsetAt(caret))
  return {
    type: isGhost ? "ghost" : "edit",
    id,
    path,
    version,
    changes,
    after,
    caret: cursor === undefined ? endOf(changes) : Positions.of(after).offsetAt(cursor)
  }
}

/** Whether VS Code draws it as grey text: on the caret's line, not before the caret, and with all that stood there. */
const isGrey = (lines: Positions.Lines, { from, insert, to }: Change, caret: number): boolean => {
  const { line } = lines.positionAt(caret)
  if (from < caret || lines.positionAt(to).line !== line) return false
  return isWithin(lines.slice(from, to), insert)
}

/** Whether all characters of `part` stand in `whole`, in the same order. */
const isWithin = (part: string, whole: string): boolean => {
  let at = 0
  for (const unit of whole) if (part.startsWith(unit, at)) at += unit.length
  return at === part.length
}

/** Whether the caret is so near to an edit that a person sees it. Otherwise the first key leads there. */
export const isNear = (text: string, caret: TextPosition, { changes }: OfferedEdit): boolean => {
  const lines = Positions.of(text)
  return changes.some(
    ({ from, to }) => caret.line >= lines.positionAt(from).line - 1 && caret.line <= lines.positionAt(to).line + 1
  )
}

/**
 * What becomes of an offer when the caret moves.
 *
 * - `seen`: the caret is at it.
 * - `stays`: it is still shown.
 * - `gone`: a key would do there what nobody sees.
 *
 * @param line the line of the caret for which it was offered
 */
export const afterMove = (offer: Offer, line: number, caret: TextPosition, text: string): "seen" | "stays" | "gone" => {
  switch (offer.type) {
    case "ghost":
      return "stays"
    case "edit":
      return isNear(text, caret, offer) ? "seen" : "stays"
    case "jump":
    case "elsewhere":
    case "places":
      return caret.line === line ? "stays" : "gone"
  }
}

/**
 * Returns what is left of grey text after its beginning was typed. Undefined if anything else was typed, or nothing is left.
 *
 * @param now the text after that
 */
export const restOf = (offer: Offer, version: number, now: string): OfferedEdit | undefined => {
  if (offer.type !== "ghost") return undefined
  const [change, ...more] = offer.changes
  if (change === undefined || more.length > 0 || change.from !== change.to) return undefined
  const { from, insert } = change
  const typed = now.length - (offer.after.length - insert.length)
  if (typed <= 0 || typed >= insert.length) return undefined
  const at = from + typed
  const left = { from: at, to: at, insert: insert.slice(typed) }
  return applied(now, [left]) === offer.after ? { ...offer, version, changes: [left] } : undefined
}
