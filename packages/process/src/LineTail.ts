/** The last lines of a stream, limited in number and size, with the count of all lines. */

export interface Limits {
  readonly lines: number
  /** Most characters of all kept lines. */
  readonly characters: number
  /** Most characters of a single line. A cut is marked. */
  readonly lineCharacters: number
}

export interface LineTail {
  /** Adds a line, and returns the part that is kept. */
  readonly push: (line: string) => string
  /** The last lines, oldest first. */
  readonly lines: () => ReadonlyArray<string>
  /** The number of all lines. */
  readonly total: () => number
}

export const make = (limits: Limits): LineTail => {
  const kept: Array<string> = []
  let characters = 0
  let total = 0
  return {
    push: (line) => {
      const text = line.length > limits.lineCharacters ? `${line.slice(0, limits.lineCharacters)}…` : line
      total += 1
      kept.push(text)
      characters += text.length
      while (kept.length > limits.lines || (characters > limits.characters && kept.length > 1)) {
        characters -= kept.shift()?.length ?? 0
      }
      return text
    },
    lines: () => [...kept],
    total: () => total
  }
}
