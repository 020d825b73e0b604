/** Where the command line writes: what it was asked for to stdout, everything else to stderr. */

export interface Terminal {
  readonly out: (text: string) => void
  /** Writes one line, or several. */
  readonly err: (text: string) => void
  /** The same, drawn back where colours are wanted. */
  readonly aside: (text: string) => void
  /** Both ends of a conversation: a person reads stderr and types into stdin. */
  readonly canAsk: boolean
}

const dim = (text: string): string => `\u001b[2m${text}\u001b[22m`

/** The process's own streams. `onLost` is called when nobody reads stdout any more. */
export const ofProcess = (onLost: () => void): Terminal => {
  const { stderr, stdin, stdout } = process
  const coloured = stderr.isTTY && (process.env["NO_COLOR"] ?? "") === "" && process.env["TERM"] !== "dumb"
  // On one screen a line to stderr would begin in the middle of a message's line.
  const shared = stdout.isTTY && stderr.isTTY
  let midLine = false
  stdout.on("error", onLost)
  const err = (text: string) => {
    if (shared && midLine) stdout.write("\n")
    midLine = false
    stderr.write(`${text}\n`)
  }
  return {
    out: (text) => {
      if (text === "") return
      midLine = !text.endsWith("\n")
      stdout.write(text)
    },
    err,
    aside: (text) => err(coloured ? dim(text) : text),
    canAsk: stdin.isTTY && stderr.isTTY
  }
}

/** Columns of the terminal that stdout is; there is no edge where it is none, or one that does not know its size. */
export const width = (): number => process.stdout.columns || Number.POSITIVE_INFINITY
