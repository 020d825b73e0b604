/**
 * An agent whose stream breaks off asks its model once more, and streams the new answer from its beginning: under a new id (claude,
 * codex), or behind a note where it gives no ids (copilot, pi). What broke off stays; it is marked as tried again.
 *
 * A message is a retry where it begins with the whole text of the one before, letter by letter. The one before broke off: it is no short and
 * no periodic text, and ends within a sentence. Nothing but a note may stand between them, or thoughts of the new answer.
 */
import type { ItemId } from "@signalbox/contracts/Ids"
import { isPeriodic } from "./RepeatedText.ts"

/** A message that broke off, with the items that hold it. */
export interface Attempt {
  readonly text: string
  readonly items: ReadonlyArray<{ readonly itemId: ItemId; readonly length: number }>
}

/** The beginning of a message that may be a retry, until it is known. */
interface Held {
  readonly messageId: string | undefined
  readonly pieces: Array<string>
  length: number
  /** What it repeats, as far as it goes. */
  matching: ReadonlyArray<Attempt>
}

export interface Retries {
  attempts: ReadonlyArray<Attempt>
  held: Held | undefined
  /** The thoughts since the last attempt, with the id that all of them have. */
  thought: { readonly messageId: string | undefined } | undefined
  /** Whether a note was told in this turn. */
  noted: boolean
}

const shortest = 16
const mostAttempts = 8

export const make = (): Retries => ({ attempts: [], held: undefined, thought: undefined, noted: false })

/** Something else came between. */
export const forget = (retries: Retries): void => {
  retries.attempts = []
  retries.thought = undefined
}

/** A message is over. `repeats`: it is the beginning of another attempt, and was cut off earlier. */
export const ended = (
  retries: Retries,
  text: string | undefined,
  items: () => Attempt["items"],
  repeats: boolean
): void => {
  retries.thought = undefined
  if (repeats && text !== undefined) {
    retries.attempts = [...retries.attempts, { text, items: items() }].slice(-mostAttempts)
    return
  }
  const broke = text !== undefined && text.length >= shortest && isUnfinished(text) && !isPeriodic(text)
  retries.attempts = broke ? [{ text, items: items() }] : []
}

export const thought = (retries: Retries, messageId: string | undefined): void => {
  if (retries.attempts.length === 0) return
  const isOfOne = retries.thought === undefined || retries.thought.messageId === messageId
  retries.thought = { messageId: isOfOne ? messageId : undefined }
}

/** A message begins. Whether it may be a retry: its text is then to be given to `take`. */
export const begin = (retries: Retries, messageId: string | undefined): boolean => {
  const { thought } = retries
  if (thought !== undefined && (thought.messageId === undefined || thought.messageId !== messageId)) forget(retries)
  retries.thought = undefined
  if (retries.attempts.length === 0) return false
  retries.held = { messageId, pieces: [], length: 0, matching: retries.attempts }
  return true
}

/** What is to be told now, and what it is a retry of; undefined as long as that is open. Costs what the piece holds. */
export const take = (
  retries: Retries,
  held: Held,
  piece: string
): { readonly text: string; readonly pieces: number; readonly of: ReadonlyArray<Attempt> } | undefined => {
  const at = held.length
  held.matching = held.matching.filter(({ text }) => {
    const rest = text.length - at
    return piece.length <= rest ? text.startsWith(piece, at) : rest <= 0 || piece.startsWith(text.slice(at))
  })
  held.pieces.push(piece)
  held.length += piece.length
  if (held.matching.some(({ text }) => text.length > held.length)) return undefined
  retries.held = undefined
  retries.attempts = retries.attempts.filter((attempt) => !held.matching.includes(attempt))
  return { text: held.pieces.join(""), pieces: held.pieces.length, of: held.matching }
}

/** What was held back, when nothing more comes of it. */
export const release = (retries: Retries): { readonly text: string; readonly messageId: string | undefined } => {
  const { held } = retries
  retries.held = undefined
  return { text: held?.pieces.join("") ?? "", messageId: held?.messageId }
}

const isUnfinished = (text: string): boolean => /[\p{L}\p{N},\-–—(/&+=]$/u.test(text.slice(-2))

/** Characters of a note. */
const longestNote = 600

/**
 * Whether a piece is a note of the agent about its retries: in one piece, and put right behind what broke off, which ended with `before`.
 * `noted`: there was one before, so that others are likely.
 */
export const isNote = (piece: string, before: string, { noted }: Pick<Retries, "noted">): boolean => {
  if (piece.length > longestNote || !/^\p{Lu}/u.test(piece)) return false
  const text = piece.trimEnd()
  if (text.includes("\n") || !(isUnfinished(before) || (noted && !/\s/.test(before)))) return false
  const isRetrying = /\b(?:Retrying|Reconnecting)\b/.test(text) && /(?:\.\.\.|…)$/.test(text)
  return isRetrying || (noted && (/^(?:Error|Warning|Info): /.test(text) || /^Retry [^\n]*\.$/.test(text)))
}
