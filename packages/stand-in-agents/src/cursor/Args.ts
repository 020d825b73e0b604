/** What follows a script's name: `key=value` pairs and plain words, both with quotes if need be. */
export class Args {
  /** The text as it was written. */
  readonly text: string
  readonly #named = new Map<string, string>()
  readonly #words: Array<string> = []

  constructor(text: string) {
    this.text = text.trim()
    for (const match of this.text.matchAll(/([\w-]+)=("[^"]*"|'[^']*'|\S+)|"([^"]*)"|'([^']*)'|(\S+)/g)) {
      const [, key, value = "", double, single, bare] = match
      if (key === undefined) this.#words.push(double ?? single ?? bare ?? "")
      else this.#named.set(key, value.replace(/^(["'])(.*)\1$/s, "$2"))
    }
  }

  /** A copy with one more named value, which may hold anything. */
  with(name: string, value: string): Args {
    const args = new Args(this.text)
    args.#named.set(name, value)
    return args
  }

  /** The value of a name, or else the plain word at that position. */
  get(name: string, position?: number): string | undefined {
    return this.#named.get(name) ?? (position === undefined ? undefined : this.#words[position])
  }

  number(name: string, position: number, fallback: number): number {
    const value = Number(this.get(name, position) ?? fallback)
    return Number.isFinite(value) ? value : fallback
  }
}
