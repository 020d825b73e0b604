/** Wraps text to the width of the terminal, between words. A word that is wider than the terminal stays whole. */
import * as CliOutput from "effect/cli/CliOutput"

/** The indentation of a description that stands below its flag, for lack of room beside it. */
const below = "      "
/** The least width of a description in columns. */
const room = 30
/** Longer lines are data, and the terminal wraps them. */
const longest = 20_000

/** Columns. Most text is plain, and measuring any other is slow. */
const widthOf = (text: string): number => (/^[ -~]*$/.test(text) ? text.length : CliOutput.displayWidth(text))

const fits = (line: string, width: number): boolean => line.length > longest || widthOf(line) <= width

/** Wraps help, which has columns: a continued description stands below its beginning. */
export const fitted = (text: string, width: number): string =>
  text
    .split("\n")
    .flatMap((line) => (fits(line, width) ? [line] : broken(line, width)))
    .join("\n")

const broken = (line: string, width: number): ReadonlyArray<string> => {
  // `  --port, -p PORT    Port to listen on`, or words alone.
  const head = /^ *\S.*? {2}(?=\S)/.exec(line)?.[0] ?? indentOf(line)
  const words = line.slice(head.length).split(" ")
  const column = widthOf(head)
  if (width - column < room) return [head.trimEnd(), ...filled(below, below, words, width)]
  return filled(head, " ".repeat(column), words, width)
}

/** Wraps any other text: continued lines are indented by two more columns. */
export const wrapped = (text: string, width: number): string => {
  if (width === Number.POSITIVE_INFINITY) return text
  return text
    .split("\n")
    .flatMap((line) => {
      if (fits(line, width)) return [line]
      const indent = indentOf(line)
      // A very narrow terminal gets no extra indentation.
      const margin = indent.length + 2 > width / 2 ? "" : `${indent}  `
      return filled(indent, margin, line.slice(indent.length).split(" "), width)
    })
    .join("\n")
}

const indentOf = (line: string): string => /^ */.exec(line)?.[0] ?? ""

const filled = (first: string, margin: string, words: ReadonlyArray<string>, width: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let line = first
  let column = widthOf(first)
  let empty = true
  for (const word of words) {
    const size = widthOf(word)
    if (!empty && column + 1 + size > width) {
      lines.push(line)
      line = margin + word
      column = margin.length + size
    } else {
      line += empty ? word : ` ${word}`
      column += empty ? size : size + 1
    }
    empty = false
  }
  return [...lines, line]
}

/** A text that comes in pieces, with line breaks between words where they are due. */
export interface Flow {
  /** Returns the text that can be written now. An unfinished last word is kept back. */
  readonly push: (piece: string) => string
  /** Returns the text that was kept back. */
  readonly flush: () => string
}

/** Wraps prose to a width and leaves fenced code as it is. Continued lines of a list item stand below its text. */
export const flow = (width: number): Flow => {
  if (width === Number.POSITIVE_INFINITY) return { push: (piece) => piece, flush: () => "" }
  let word = ""
  /** The white space before the current word. It is dropped at the end of a line. */
  let gap = ""
  let column = 0
  let indent = 0
  let atStart = true
  let fenced = false
  /** Whether the beginning of the word has been written already. */
  let begun = false

  /** Writes the word that has ended, on this line or on the next one. */
  const settle = (): string => {
    if (word === "") return ""
    const size = widthOf(word)
    const breaks = !fenced && !atStart && !begun && column + gapWidth() + size > width
    if (atStart) {
      if (/^(?:`{3,}|~{3,})/.test(word)) fenced = !fenced
      indent = gapWidth()
      // The mark of a list, or of a quotation.
      if (/^(?:[-*+>]|\d{1,3}[.)])$/.test(word)) indent += size + 1
    }
    const text = (breaks ? `\n${" ".repeat(indent)}` : gap) + word
    column = (breaks ? indent : column + gapWidth()) + size
    atStart = false
    begun = true
    word = ""
    gap = ""
    return text
  }

  const gapWidth = (): number =>
    gap.split("").reduce((sum, character) => sum + (character === "\t" ? 8 - ((column + sum) % 8) : 1), 0)

  const space = (character: string): string => {
    const text = settle()
    begun = false
    if (character !== "\n") {
      gap += character
      return text
    }
    column = 0
    indent = 0
    gap = ""
    atStart = true
    return `${text}\n`
  }

  return {
    push: (piece) =>
      piece
        .split(/([ \t\n])/)
        .map((part, index) => {
          if (index % 2 === 1) return space(part)
          word += part
          // The word is longer than any line, so waiting for its end would not help.
          return word.length > width ? settle() : ""
        })
        .join(""),
    flush: settle
  }
}
