/**
 * Some agents, when they try a failed answer again, stream it from its beginning under the id that it had. People are to read it once.
 *
 * Text that repeats what stands is held back until it has caught up with it. Only what goes beyond is shown. Where it takes another turn
 * before that, it was no repetition, and is told after all: nothing is ever lost but a whole, literal repetition.
 */

/** The text of one message, as far as it was told. */
export interface RepeatedText {
  /** Undefined when it is too long to be watched. */
  said: string | undefined
  /** The first characters of it, to compare with at little cost. */
  head: string
  /** The last character of it: to look for it in `said` would copy all of that. */
  last: string
  /** What repeats it, until it is known whether it does. */
  held: string
  /** What was held before it was begun once more. */
  begun: string
}

const maxSaid = 256 * 1024
const headLength = 64
/** A shorter beginning may well come again in an ordinary text. */
const minRepeated = 24

export const make = (): RepeatedText => ({ said: "", head: "", last: "", held: "", begun: "" })

/** What of a piece is to be told now. */
export const take = (text: RepeatedText, piece: string): string => {
  const { held, said } = text
  if (said === undefined || (held === "" && !mayRepeat(text, piece))) return tell(text, piece)
  const again = held + piece
  // What is held stands there already: only the piece is compared. A look at the whole text would join all pieces of it anew.
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
  // It may be begun more than twice.
  if (held.length >= minRepeated && text.begun.length < maxSaid && mayRepeat(text, piece)) {
    text.begun += held
    return take(text, piece)
  }
  return tell(text, begunBefore(text) + again)
}

/** What was held back, when nothing more comes. */
export const rest = (text: RepeatedText): string => {
  const { held } = text
  text.held = ""
  return held === "" ? "" : tell(text, begunBefore(text) + held)
}

/** It was no repetition either. */
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

/** An answer that broke off did so in the middle of a line; behind the end of one, the same line may be meant to come twice. */
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
 * Whether it is one piece said several times: a line of dashes goes on as it began. Said so often in all, it is also said as often as each
 * prime number in that count. So only these are tried: the cost is that of a few comparisons.
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
