/**
 * Writes for the command line: results to stdout, everything else to stderr. Only this file and `Stdout` write, and all
 * of it passes `Ink`.
 */
import { drawn, type Paper, safe, styled, type Text } from "./Ink.ts"

export interface Terminal {
  /** Writes a piece of text to stdout, without a line break after it. */
  readonly out: (text: string) => void
  /** Writes one or several lines to stderr. */
  readonly err: (text: Text) => void
  /** Writes lines to stderr, dimmed where colours are wanted. */
  readonly aside: (text: Text) => void
  /** Whether a person reads stderr and types into stdin. */
  readonly canAsk: boolean
  /** How many columns a line may have. */
  readonly width: number
}

/** The part of an output stream that is used here. */
export interface Sink {
  readonly isTTY?: boolean
  readonly columns?: number
  readonly write: (text: string) => unknown
}

const paperOf = ({ columns, isTTY }: Sink): Paper => ({
  coloured: isTTY === true && (process.env["NO_COLOR"] ?? "") === "" && process.env["TERM"] !== "dumb",
  width: isTTY === true ? columns || Number.POSITIVE_INFINITY : Number.POSITIVE_INFINITY
})

export const over = (stdout: Sink, stderr: Sink, canAsk: boolean): Terminal => {
  // If both are the same screen, a line on stderr would begin in the middle of a message.
  const shared = stdout.isTTY === true && stderr.isTTY === true
  let midLine = false
  const line = (text: Text) => {
    if (shared && midLine) stdout.write("\n")
    midLine = false
    stderr.write(`${drawn(text, paperOf(stderr))}\n`)
  }
  return {
    out: (text) => {
      if (text === "") return
      midLine = !text.endsWith("\n")
      stdout.write(safe(text))
    },
    err: line,
    aside: (text) => line(styled("dim", text)),
    canAsk,
    get width() {
      return paperOf(stdout).width
    }
  }
}

const own = (): Terminal => {
  const { stderr, stdin, stdout } = process
  return (known ??= over(stdout, stderr, stdin.isTTY && stderr.isTTY))
}
let known: Terminal | undefined

/** The process's own streams. `onLost` is called once, when stdout can't be written any more: nobody reads it, or its disk is full. */
export const ofProcess = (onLost: (error: Error) => void): Terminal => {
  process.stdout.once("error", onLost)
  return own()
}

/** One line to stderr, or several. They take the place of a line that is rewritten there. */
export const err = (text: Text): void => {
  if (isRewritten) rewrite("")
  own().err(text)
}

/** One line to stdout, or several. Long output goes through `Stdout`, which waits for its reader. */
export const out = (text: Text): void => {
  process.stdout.write(`${drawn(text, paperOf(process.stdout))}\n`)
}

/** Prints help with the escape sequences of its formatter. Help holds no foreign text, so it need not be made safe. */
export const help = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

/** Prints a question on stderr. The answer is typed behind it, on the same line. */
export const prompt = (text: string): void => {
  process.stderr.write(safe(text))
}

/** Whether the current line on stderr is one that `rewrite` wrote. */
let isRewritten = false

/** Replaces the current line on stderr. */
export const rewrite = (text: string): void => {
  isRewritten = text !== ""
  process.stderr.write(`\r\u001b[K${safe(text)}`)
}

/** Columns of the terminal on stdout. Infinite if stdout isn't a terminal, or doesn't know its size. */
export const width = (): number => process.stdout.columns || Number.POSITIVE_INFINITY
