/** The words of a program, one after the other. Blanks between them are passed over. */
import type { Reason } from "./ProgramError.ts"

/** Thrown where something else stands than may stand there. */
export class Unexpected extends Error {
  override readonly name = "Unexpected"
  readonly at: number
  readonly reason: Reason
  constructor(at: number, reason: Reason, message: string) {
    super(message)
    this.at = at
    this.reason = reason
  }
}

export interface Scanner {
  /** The offset of the next word. */
  readonly place: () => number
  readonly isAtEnd: () => boolean
  /** Takes one character if it is the next one. */
  readonly take: (character: string) => boolean
  /** Takes a text in quotes. Undefined if none is next. */
  readonly string: () => string | undefined
  readonly number: () => number | undefined
  /** Takes a name. Undefined if none is next. */
  readonly word: () => string | undefined
  /** What to throw: it names what was expected, and what is there. */
  readonly expected: (what: string) => Unexpected
}

const blank = /[ \t\r\n]*/y
const wordForm = /[A-Za-z_][A-Za-z0-9_]*/y
const numberForm = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
/** What people write as a number, whether it is one or not. */
const numberLike = /[-+.]?[0-9][0-9A-Za-z_.]*/y
const plainText = { '"': /[^"\\\n\r]*/y, "'": /[^'\\\n\r]*/y, "`": /[^`\\]*/y } as const
const unicode = /[0-9a-fA-F]{4}/y

const escapes: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["b", "\b"],
  ["f", "\f"],
  ["/", "/"],
  ["\\", "\\"],
  ['"', '"'],
  ["'", "'"],
  ["`", "`"]
])

const isQuote = (character: string | undefined): character is keyof typeof plainText =>
  character === '"' || character === "'" || character === "`"

export const make = (source: string): Scanner => {
  let at = 0

  /** The text that a pattern matches here. Undefined if it does not. */
  const matched = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    return pattern.exec(source)?.[0]
  }

  const pass = () => {
    at += matched(blank)?.length ?? 0
    return at
  }

  const escaped = (): string => {
    const begin = at
    const letter = source[at + 1]
    at += 2
    if (letter === "u") {
      const digits = matched(unicode)
      if (digits === undefined) throw new Unexpected(begin, "syntax", "expected four hexadecimal digits behind \\u.")
      at += 4
      return String.fromCharCode(Number.parseInt(digits, 16))
    }
    const found = letter === undefined ? undefined : escapes.get(letter)
    if (found !== undefined) return found
    throw new Unexpected(
      begin,
      "syntax",
      "expected \\n \\t \\r \\b \\f \\uXXXX, or a quote, slash or backslash behind a backslash. A backslash itself is \\\\."
    )
  }

  const text = (quote: keyof typeof plainText): string => {
    const begin = at
    const parts: Array<string> = []
    at += 1
    for (;;) {
      const plain = matched(plainText[quote]) ?? ""
      at += plain.length
      parts.push(plain)
      if (source[at] === quote) {
        at += 1
        return parts.join("")
      }
      if (source[at] !== "\\")
        throw new Unexpected(
          begin,
          "syntax",
          quote === "`" || at >= source.length
            ? `expected ${quote} at the end of the text that begins here.`
            : `expected ${quote} before the end of the line. Write \\n for a new line, or put the text between backticks.`
        )
      parts.push(escaped())
    }
  }

  const scanner: Scanner = {
    place: pass,
    isAtEnd: () => pass() >= source.length,
    take: (character) => {
      if (source[pass()] !== character) return false
      at += 1
      return true
    },
    string: () => {
      const quote = source[pass()]
      return isQuote(quote) ? text(quote) : undefined
    },
    number: () => {
      const begin = pass()
      const like = matched(numberLike)
      if (like === undefined) return undefined
      const exact = matched(numberForm)
      // An exponent with a sign goes on behind what looks like a number.
      if (exact === undefined || exact.length < like.length)
        throw new Unexpected(begin, "syntax", "expected a number as in JSON, such as 12, -0.5 or 1e3.")
      at += exact.length
      const value = Number(exact)
      if (!Number.isFinite(value)) throw new Unexpected(begin, "syntax", "expected a smaller number.")
      return value
    },
    word: () => {
      pass()
      const found = matched(wordForm)
      at += found?.length ?? 0
      return found
    },
    expected: (what) => {
      pass()
      return new Unexpected(at, "syntax", `expected ${what}, but ${foundAt(source, at)}.`)
    }
  }
  return scanner
}

const foundAt = (source: string, at: number): string => {
  const code = source.codePointAt(at)
  if (code === undefined) return "the program ends here"
  const character = String.fromCodePoint(code)
  return /[\p{C}\p{Z}]/u.test(character)
    ? `the character U+${code.toString(16).toUpperCase().padStart(4, "0")} is here`
    : `${character} is here`
}
