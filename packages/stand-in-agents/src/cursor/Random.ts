import { randomInt, randomUUID } from "node:crypto"

/** Source of ids and chunk sizes; the same seed gives the same run. */
export class Random {
  readonly #seeded: boolean
  #state: number

  constructor(seed: number | undefined) {
    this.#seeded = seed !== undefined
    this.#state = seed ?? randomInt(2 ** 32 - 1)
  }

  /** Mulberry32: a float in [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** An integer in [low, high]. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1))
  }

  hex(digits: number): string {
    return Array.from({ length: digits }, () => this.between(0, 15).toString(16)).join("")
  }

  uuid(): string {
    if (!this.#seeded) return randomUUID()
    const variant = this.between(8, 11).toString(16)
    return `${this.hex(8)}-${this.hex(4)}-4${this.hex(3)}-${variant}${this.hex(3)}-${this.hex(12)}`
  }

  /** A shuffled copy. */
  shuffle<A>(items: ReadonlyArray<A>): ReadonlyArray<A> {
    return items
      .map((item) => ({ item, rank: this.next() }))
      .sort((left, right) => left.rank - right.rank)
      .map(({ item }) => item)
  }

  /** Cuts text into pieces of 1 to 30 characters, never inside a surrogate pair. */
  chunks(text: string): ReadonlyArray<string> {
    const characters = Array.from(text)
    const pieces: Array<string> = []
    for (let start = 0; start < characters.length;) {
      const size = this.between(1, 30)
      pieces.push(characters.slice(start, start + size).join(""))
      start += size
    }
    return pieces
  }
}
