/** Weizenbaum's conversation program of 1966: no model, no chance, the same words always get the same answers. */
import { type Decomposition, keywords, lists, memories, none, reflections, repairs } from "./ElizaScript.ts"

const byWord = new Map(keywords.map((keyword) => [keyword.word, keyword]))

/** One conversation. Answers depend on what was said before: replies take turns, and “my …” is remembered. */
export class Eliza {
  readonly #turns = new Map<Decomposition, number>()
  readonly #memories: Array<string> = []
  #unmatched = 0

  reply(input: string): string {
    const words = wordsOf(input)
    if (words.length === 0) return "Please tell me more."
    // Array.sort is stable: among keywords of one weight the first that was said wins.
    const found = words.flatMap((word) => byWord.get(word) ?? []).sort((a, b) => b.weight - a.weight)
    if (found.length > 0) this.#remember(words)
    for (const { word } of found) {
      const answer = this.#follow(word, words)
      if (answer !== undefined) return answer
    }
    this.#unmatched++
    const memory = this.#unmatched % 4 === 0 ? this.#memories.shift() : undefined
    return memory ?? none[(this.#unmatched - 1) % none.length] ?? "Please go on."
  }

  /** Answers by a keyword's rules, along at most ten links and never twice over the same keyword. */
  #follow(first: string, words: ReadonlyArray<string>): string | undefined {
    const seen = new Set<string>()
    let word = first
    while (seen.size < 10 && !seen.has(word)) {
      seen.add(word)
      const step = this.#next(word, words)
      if (step === undefined || step === "NEWKEY") return undefined
      if (!step.startsWith("=")) return step
      word = step.slice(1)
    }
    return undefined
  }

  #next(word: string, words: ReadonlyArray<string>): string | undefined {
    for (const rule of byWord.get(word)?.rules ?? []) {
      const stars = match(rule.pattern.split(" "), words)
      if (stars === undefined) continue
      const turn = this.#turns.get(rule) ?? 0
      this.#turns.set(rule, turn + 1)
      const reply = rule.replies[turn % rule.replies.length]
      return reply === undefined ? undefined : assemble(reply, stars)
    }
    return undefined
  }

  #remember(words: ReadonlyArray<string>): void {
    const stars = match(["*", "my", "*"], words)
    const last = words.at(-1)
    if (stars === undefined || last === undefined || stars[1] === undefined || stars[1].length === 0) return
    const sum = Buffer.from(last).reduce((total, byte) => total + byte, 0)
    const memory = memories[sum % memories.length]
    if (memory !== undefined) this.#memories.push(assemble(memory, [stars[1]]))
  }
}

const wordsOf = (input: string): Array<string> =>
  input
    .split(/[\s,.?!;:]+/u)
    .filter((word) => word !== "")
    .map((word) => word.toLowerCase().replaceAll("’", "'"))
    .map((word) => repairs[word] ?? word)

/** The words that each star and list stood for, or undefined. A star takes as few words as it can. */
const match = (pattern: ReadonlyArray<string>, words: ReadonlyArray<string>): Array<Array<string>> | undefined => {
  const [part, ...rest] = pattern
  if (part === undefined) return words.length === 0 ? [] : undefined
  if (part === "*") {
    for (let taken = 0; taken <= words.length; taken++) {
      const others = match(rest, words.slice(taken))
      if (others !== undefined) return [words.slice(0, taken), ...others]
    }
    return undefined
  }
  const [word, ...others] = words
  if (word === undefined) return undefined
  const fits = part.startsWith("@") ? (lists[part.slice(1)] ?? []).includes(word) : part === word
  return fits ? match(rest, others) : undefined
}

const assemble = (reply: string, stars: ReadonlyArray<ReadonlyArray<string>>): string =>
  reply.replace(/\{(\d+)(:r)?\}/g, (_, index: string, reflected: string | undefined) => {
    const words = stars[Number(index) - 1] ?? []
    const text = words.map((word) => (reflected ? (reflections[word] ?? word) : word)).join(" ")
    // “you are” has become “I are”; other subjects keep their verb.
    return text.replace(/\bI are\b/g, "I am") || "that"
  })
