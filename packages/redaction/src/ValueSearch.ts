/**
 * Finds many texts in another text in one pass (Aho and Corasick), also overlapping ones. It takes at most two steps
 * for each character. Most texts hold no match, and for these only every few characters are examined.
 */
import type { Span } from "./Spans.ts"

export interface Wanted {
  /** The text to find, of at least `shortest` characters. */
  readonly text: string
  /**
   * Matches only if no letter, digit or underscore stands beside it. Such a text has at most `longestWord` characters.
   */
  readonly word: boolean
}

export const shortest = 4
export const longestWord = 7

export interface ValueSearch {
  /** The places of all wanted texts. They may overlap. */
  readonly find: (text: string) => ReadonlyArray<Span>
  /** How many of the last characters are an unfinished beginning of a wanted text. */
  readonly begun: (text: string) => number
}

/** Finds the places where a search has to begin. */
interface Candidates {
  /** The first place from `from` on with a possible match. The length of the text if there is none. */
  readonly next: (text: string, from: number) => number
  /** How many characters before such a place a match may begin. */
  readonly before: number
}

/** `onStep` is called at each step of a search. */
export const make = (wanted: ReadonlyArray<Wanted>, onStep?: () => void): ValueSearch => {
  const nodes = trieOf(wanted)
  const most = Math.max(0, ...wanted.map(({ text }) => text.length))
  const candidates = most > longestWord ? byBeginnings(wanted, onStep) : bySpelling(wanted)

  const next = (from: number, code: number): number => {
    for (let node = from; ; node = nodes.fallback[node] ?? root) {
      onStep?.()
      const to = nodes.children.get(node * codes + code)
      if (to !== undefined) return to
      if (node === root) return root
    }
  }

  return {
    find: (text) => {
      let at = wanted.length === 0 ? text.length : candidates.next(text, 0)
      if (at === text.length) return none
      const spans: Array<Span> = []
      // Each search starts at a candidate and stops when no match is in progress any more.
      for (let from = 0; at < text.length; from = at, at = candidates.next(text, at)) {
        const surely = at + 1
        at = Math.max(from, at - candidates.before)
        for (let node = root; at < text.length && (at < surely || node !== root); at += 1) {
          node = next(node, text.charCodeAt(at))
          const end = at + 1
          const length = nodes.longest[node] ?? 0
          if (length > 0) spans.push({ start: end - length, end })
          const words = nodes.words[node] ?? 0
          if (words === 0 || isWord(text.charCodeAt(end))) continue
          for (let size = longestWord; size >= shortest; size -= 1) {
            const isOne = (words & (1 << size)) !== 0 && !isWord(text.charCodeAt(end - size - 1))
            if (isOne) spans.push({ start: end - size, end })
          }
        }
      }
      return spans
    },
    begun: (text) => {
      let node = root
      for (let at = Math.max(0, text.length - most); at < text.length; at += 1) node = next(node, text.charCodeAt(at))
      // Skips complete matches, which `find` reports. Only unfinished beginnings count here.
      while (node !== root && isWhole(nodes, node)) node = nodes.fallback[node] ?? root
      return nodes.depth[node] ?? 0
    }
  }
}

const none: ReadonlyArray<Span> = []

/** A pattern that matches any of these texts. It never has quantifiers, whatever the texts hold. */
export const spelled = (texts: ReadonlyArray<string>): RegExp => new RegExp(texts.map(escaped).join("|"), "g")

/** Candidates by one pattern of all texts, which is fastest for a few short texts. */
const bySpelling = (wanted: ReadonlyArray<Wanted>): Candidates => {
  const pattern = spelled(wanted.map(({ text }) => text))
  return {
    next: (text, from) => {
      pattern.lastIndex = from
      return pattern.exec(text)?.index ?? text.length
    },
    before: 0
  }
}

/** A text with each code unit escaped, so that none has a meaning in a pattern. */
const escaped = (text: string): string =>
  text.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)

/** How many characters are examined together. */
const gram = 4

/**
 * Candidates for long texts. Only every few characters are examined, and one of these places holds one of a match's
 * first characters. Two bit tables mark all groups of characters that may stand there. The first table takes two
 * characters and excludes most places; the second takes four.
 */
const byBeginnings = (wanted: ReadonlyArray<Wanted>, onStep?: () => void): Candidates => {
  const stride = Math.min(...wanted.map(({ text }) => text.length)) - gram + 1
  const pairs = new Uint8Array(2 ** (2 * 7 - 3))
  const grams = new Uint8Array(2 ** (gram * 5 - 3))
  for (const { text } of wanted) {
    for (let at = 0; at < stride; at += 1) {
      mark(pairs, pairAt(text, at))
      mark(grams, gramAt(text, at))
    }
  }
  return {
    next: (text, from) => {
      for (let at = from; at + gram <= text.length; at += stride) {
        onStep?.()
        if (isMarked(pairs, pairAt(text, at)) && isMarked(grams, gramAt(text, at))) return at
      }
      return text.length
    },
    before: stride - 1
  }
}

const pairAt = (text: string, at: number): number =>
  ((text.charCodeAt(at) & 127) << 7) | (text.charCodeAt(at + 1) & 127)

const gramAt = (text: string, at: number): number =>
  ((text.charCodeAt(at) & 31) << 15) |
  ((text.charCodeAt(at + 1) & 31) << 10) |
  ((text.charCodeAt(at + 2) & 31) << 5) |
  (text.charCodeAt(at + 3) & 31)

const mark = (bits: Uint8Array, at: number): void => {
  bits[at >> 3] = (bits[at >> 3] ?? 0) | (1 << (at & 7))
}

const isMarked = (bits: Uint8Array, at: number): boolean => ((bits[at >> 3] ?? 0) & (1 << (at & 7))) !== 0

const root = 0
/** The number of different code units. */
const codes = 65_536

/** The nodes of the search tree. Each list is indexed by the number of a node. */
interface Nodes {
  /** The next node, by node and code unit: `node * codes + code`. */
  readonly children: ReadonlyMap<number, number>
  /** The node of the longest proper suffix that is in the tree too. */
  readonly fallback: ReadonlyArray<number>
  /** How many characters lead to the node. */
  readonly depth: ReadonlyArray<number>
  /** The length of the longest text that ends at the node; 0 if none does. */
  readonly longest: ReadonlyArray<number>
  /** The lengths of the words that end at the node, as bits. */
  readonly words: ReadonlyArray<number>
}

const trieOf = (wanted: ReadonlyArray<Wanted>): Nodes => {
  const children = new Map<number, number>()
  const [depth, longest, words] = [[0], [0], [0]]
  const edges: Array<{ readonly parent: number; readonly code: number }> = [{ parent: root, code: 0 }]
  for (const { text, word } of wanted) {
    let node = root
    for (let at = 0; at < text.length; at += 1) {
      const key = node * codes + text.charCodeAt(at)
      let child = children.get(key)
      if (child === undefined) {
        child = depth.length
        children.set(key, child)
        edges.push({ parent: node, code: text.charCodeAt(at) })
        depth.push(at + 1)
        longest.push(0)
        words.push(0)
      }
      node = child
    }
    if (word) words[node] = (words[node] ?? 0) | (1 << text.length)
    else longest[node] = text.length
  }

  const fallback = depth.map(() => root)
  // A suffix is shorter, so in the order of depth its values are known already.
  const byDepth = depth.map((_, node) => node).sort((one, other) => (depth[one] ?? 0) - (depth[other] ?? 0))
  for (const node of byDepth) {
    const { code, parent } = edges[node] ?? { code: 0, parent: root }
    if (parent === root) continue
    for (let up = fallback[parent] ?? root; ; up = fallback[up] ?? root) {
      const to = children.get(up * codes + code)
      if (to !== undefined) fallback[node] = to
      if (to !== undefined || up === root) break
    }
    const same = fallback[node] ?? root
    longest[node] = Math.max(longest[node] ?? 0, longest[same] ?? 0)
    words[node] = (words[node] ?? 0) | (words[same] ?? 0)
  }
  return { children, fallback, depth, longest, words }
}

const isWhole = ({ depth, longest, words }: Nodes, node: number): boolean => {
  const length = depth[node] ?? 0
  return longest[node] === length || (length <= longestWord && ((words[node] ?? 0) & (1 << length)) !== 0)
}

/** Whether a code unit is a letter, a digit or an underscore. False for NaN, which stands for both ends of a text. */
const isWord = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122) || code > 127
