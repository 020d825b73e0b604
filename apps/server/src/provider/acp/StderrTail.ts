/** The last words of a process: what it wrote to stderr, bounded in lines and in size, with the count of all lines. */

/** Lines kept. */
const maxLines = 200
/** Characters kept over all lines, and the most that is kept of a single one. */
const maxCharacters = 64 * 1024
const maxLineCharacters = 8 * 1024

export interface StderrTail {
  /** Takes what has arrived; returns the lines that it completed. */
  readonly push: (chunk: Uint8Array) => ReadonlyArray<string>
  /** Takes what follows the last newline as a line, when the process has ended. */
  readonly end: () => ReadonlyArray<string>
  /** The last lines, oldest first. */
  readonly lines: () => ReadonlyArray<string>
  /** How many lines there were altogether. */
  readonly total: () => number
}

export const make = (): StderrTail => {
  const decoder = new TextDecoder()
  let kept: Array<string> = []
  let characters = 0
  let total = 0
  let rest = ""

  const keep = (line: string): string => {
    const text = line.length > maxLineCharacters ? `${line.slice(0, maxLineCharacters)}…` : line
    total += 1
    kept.push(text)
    characters += text.length
    return text
  }

  const trim = () => {
    let drop = 0
    while (kept.length - drop > maxLines || (characters > maxCharacters && kept.length - drop > 1)) {
      characters -= kept[drop]?.length ?? 0
      drop += 1
    }
    if (drop > 0) kept = kept.slice(drop)
  }

  const take = (texts: ReadonlyArray<string>): ReadonlyArray<string> => {
    const lines = texts.map((text) => (text.endsWith("\r") ? text.slice(0, -1) : text)).filter((text) => text !== "")
    const taken = lines.map(keep)
    trim()
    return taken
  }

  return {
    push: (chunk) => {
      const texts = (rest + decoder.decode(chunk, { stream: true })).split("\n")
      rest = texts.pop() ?? ""
      // A line without an end must not grow without one.
      if (rest.length > maxLineCharacters) rest = rest.slice(0, maxLineCharacters + 1)
      return take(texts)
    },
    end: () => {
      const last = rest + decoder.decode()
      rest = ""
      return take([last])
    },
    lines: () => kept,
    total: () => total
  }
}
