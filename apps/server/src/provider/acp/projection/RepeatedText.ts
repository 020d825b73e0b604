/**
 * Some agents repeat a failed answer from its beginning, under the same message id. People should read it once.
 *
 * Text that may be a repetition is held back until it is as long as the message. Only the text after that is shown. If
 * it differs earlier, it is no repetition, and is shown completely. Only an exact repetition is ever dropped.
 */

/** The text of one message that was shown so far. */
export interface RepeatedText {
  /** The text. Undefined if it is too long to watch. */
  said: string | undefined
  /** Its first characters, for a cheap comparison. */
  head: string
  /** Its last character. Reading it from `said` would join all pieces of that string. */
  last: string
  /** Text that may repeat `said`, held back until it is certain. */
  held: string
  /** Text that was held back before the agent began once more. */
  begun: string
}

const maxSaid = 256 * 1024
const headLength = 64
/** Most shorter beginnings also occur in ordinary text. */
const minRepeated = 24

export const make = (): RepeatedText => ({ said: "", head: "", last: "", held: "", begun: "" })

/** Takes a piece, and returns the text to show now. */
export const take = (text: RepeatedText, piece: string): string => {
  const { held, said } = text
  if (said === undefined || (held === "" && !mayRepeat(text, piece))) return tell(text, piece)
  const again = held + piece
  // The held text is already compared, so only the piece is. Indexing the whole text would join its pieces each time.
  const told = again.length <= text.head.length ? text.head : said
  if (again.length < said.length && told.startsWith(piece, held.length)) {
    text.held = again
    return ""
  }
  text.held = ""
  if (again.length >= said.length && piece.startsWith(said.slice(held.length)) && !isPeriodic(said)) {
    text.begun = ""
    return tell(text, again.slice(said.length))
  }
  // The agent may have begun more than twice.
  if (held.length >= minRepeated && text.begun.length < maxSaid && mayRepeat(text, piece)) {
    text.begun += held
    return take(text, piece)
  }
  return tell(text, begunBefore(text) + again)
}

/** Returns the text that was held back, when no more comes. */
export const rest = (text: RepeatedText): string => {
  const { held } = text
  text.held = ""
  return held === "" ? "" : tell(text, begunBefore(text) + held)
}

/** Returns and forgets the text held before the latest beginning: it was no repetition either. */
const begunBefore = (text: RepeatedText): string => {
  const { begun } = text
  text.begun = ""
  return begun
}

const tell = (text: RepeatedText, piece: string): string => {
  if (text.said !== undefined) text.said = text.said.length + piece.length > maxSaid ? undefined : text.said + piece
  if (text.head.length < headLength) text.head = (text.head + piece).slice(0, headLength)
  if (piece !== "") text.last = piece.charAt(piece.length - 1)
  return piece
}

/**
 * Whether a piece may begin a repetition. A failed answer breaks off within a line; after a line's end, an equal line
 * may be intended.
 */
const mayRepeat = ({ head, last, said }: RepeatedText, piece: string): boolean => {
  const length = Math.min(piece.length, head.length)
  return (
    said !== undefined &&
    said.length >= minRepeated &&
    head.slice(0, length) === piece.slice(0, length) &&
    !/\s/.test(last)
  )
}

/**
 * Whether a text is one piece repeated, like a line of dashes. A text that repeats n times also repeats p times for
 * each prime p of n. So only the primes of its length are tried, at the cost of a few comparisons.
 */
export const isPeriodic = (said: string): boolean =>
  primesIn(said.length).some((times) => said.startsWith(said.slice(said.length / times)))

const primesIn = (count: number): ReadonlyArray<number> => {
  const primes: Array<number> = []
  let rest = count
  for (let prime = 2; prime * prime <= rest; prime += 1) {
    if (rest % prime !== 0) continue
    primes.push(prime)
    while (rest % prime === 0) rest /= prime
  }
  return rest > 1 ? [...primes, rest] : primes
}
