/**
 * An agent whose stream breaks off may ask its model again, and stream the new answer from its beginning. The answer
 * has a new message id (claude, codex). If the agent sends no ids, it follows a note (copilot, pi). The broken text
 * stays, and is marked as retried.
 *
 * A message is a retry if it begins with the whole text of the one before, letter by letter. The one before must be
 * broken off: not short, not periodic, and ending within a sentence. Only a note, or thoughts of the new answer, may
 * stand between them.
 */
import type { ItemId } from "@signalbox/contracts/Ids"
import { isPeriodic } from "./RepeatedText.ts"

/** A message that broke off, and the items that hold it. */
export interface Attempt {
  readonly text: string
  readonly items: ReadonlyArray<{ readonly itemId: ItemId; readonly length: number }>
}

/** The beginning of a message that may be a retry, until it is certain. */
interface Held {
  readonly messageId: string | undefined
  readonly pieces: Array<string>
  length: number
  /** The attempts that this text repeats so far. */
  matching: ReadonlyArray<Attempt>
}

export interface Retries {
  attempts: ReadonlyArray<Attempt>
  held: Held | undefined
  /** The thoughts since the last attempt, with their common message id. */
  thought: { readonly messageId: string | undefined } | undefined
  /** Whether this turn has had a note about retries. */
  noted: boolean
}

const shortest = 16
const mostAttempts = 8

export const make = (): Retries => ({ attempts: [], held: undefined, thought: undefined, noted: false })

/** Forgets the attempts, since something else came between. */
export const forget = (retries: Retries): void => {
  retries.attempts = []
  retries.thought = undefined
}

/** Handles the end of a message. `repeats`: it is the beginning of a retry that broke off early. */
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

/** Handles the start of a message. Returns whether it may be a retry: then its pieces go to `take`. */
export const begin = (retries: Retries, messageId: string | undefined): boolean => {
  const { thought } = retries
  if (thought !== undefined && (thought.messageId === undefined || thought.messageId !== messageId)) forget(retries)
  retries.thought = undefined
  if (retries.attempts.length === 0) return false
  retries.held = { messageId, pieces: [], length: 0, matching: retries.attempts }
  return true
}

/**
 * Adds a piece. Returns the text to show and the attempts that it retries; undefined while that is uncertain. The cost
 * is that of the piece.
 */
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

/** Returns the text that was held back, when no more comes. */
export const release = (retries: Retries): { readonly text: string; readonly messageId: string | undefined } => {
  const { held } = retries
  retries.held = undefined
  return { text: held?.pieces.join("") ?? "", messageId: held?.messageId }
}

const isUnfinished = (text: string): boolean => /[\p{L}\p{N},\-–—(/&+=]$/u.test(text.slice(-2))

/** Most characters of a note. */
const longestNote = 600

/**
 * Whether a piece is a note of the agent about its retries. A note is one piece, directly after broken text that ends
 * with `before`. `noted`: there was a note before, so others are likely.
 */
export const isNote = (piece: string, before: string, { noted }: Pick<Retries, "noted">): boolean => {
  if (piece.length > longestNote || !/^\p{Lu}/u.test(piece)) return false
  const text = piece.trimEnd()
  if (text.includes("\n") || !(isUnfinished(before) || (noted && !/\s/.test(before)))) return false
  const isRetrying = /\b(?:Retrying|Reconnecting)\b/.test(text) && /(?:\.\.\.|…)$/.test(text)
  return isRetrying || (noted && (/^(?:Error|Warning|Info): /.test(text) || /^Retry [^\n]*\.$/.test(text)))
}
