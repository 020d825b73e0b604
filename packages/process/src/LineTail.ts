/** The last lines of something, bounded in lines and in size, with the count of all lines. */

export interface Limits {
  readonly lines: number
  /** Characters over all lines kept. */
  readonly characters: number
  /** Characters kept of a single line; a cut is marked. */
  readonly lineCharacters: number
}

export interface LineTail {
  /** Takes a line; returns what is kept of it. */
  readonly push: (line: string) => string
  /** The last lines, oldest first. */
  readonly lines: () => ReadonlyArray<string>
  /** How many lines there were altogether. */
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
