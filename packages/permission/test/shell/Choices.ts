/** A row of numbers that decides how a line is made. The same row makes the same line, and a shorter or smaller row a simpler one. */

/** Numbers from 0 to below 2^32, each time the same ones for a seed. */
export const randomly = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
}

export class Choices {
  /** Whether the line may hold much that nobody can see through. */
  isWild = false
  readonly #row: ReadonlyArray<number>
  #at = 0

  constructor(row: ReadonlyArray<number>) {
    this.#row = row
  }

  /** One of so many; the first one when the row has ended. */
  below(count: number): number {
    const value = this.#row[this.#at] ?? 0
    this.#at += 1
    return value % count
  }

  one<T>(list: ReadonlyArray<T>): T {
    const chosen = list[this.below(list.length)]
    if (chosen === undefined) throw new Error("There is nothing to choose from.")
    return chosen
  }

  get isOver(): boolean {
    return this.#at >= this.#row.length
  }
}

/** Rows that are a little simpler: pieces left out, numbers smaller. */
export const simpler = (row: ReadonlyArray<number>): ReadonlyArray<ReadonlyArray<number>> => {
  const found: Array<ReadonlyArray<number>> = []
  for (let size = Math.ceil(row.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let at = 0; at < row.length; at += size) found.push([...row.slice(0, at), ...row.slice(at + size)])
  for (const [at, value] of row.entries())
    if (value > 0) found.push(row.with(at, 0), row.with(at, value >>> 1), row.with(at, value - 1))
  return found
}
