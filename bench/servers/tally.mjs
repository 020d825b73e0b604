import { percentile, report, since, started } from "../measure.mjs"

/** What clients saw: characters of text, and how old stamped pieces were on arrival (microseconds). */
export class Tally {
  #from
  #characters = 0
  #ages = []
  #ended = 0

  constructor(clients) {
    this.clients = clients
  }

  begin() {
    this.#from ??= started()
  }

  text(text) {
    this.#characters += text.length
    if (!text.includes("at=")) return
    const now = Number(process.hrtime.bigint() / 1000n)
    for (const [, at] of text.matchAll(/at=(\d+);/g)) this.#ages.push(now - Number(at))
  }

  /** One client saw the end of the turn. */
  end() {
    if (++this.#ended < this.clients) return
    report({
      characters: this.#characters,
      ...(this.#ages.length > 0 && { p50us: percentile(this.#ages, 0.5), p99us: percentile(this.#ages, 0.99) }),
      ...since(this.#from)
    })
  }
}
