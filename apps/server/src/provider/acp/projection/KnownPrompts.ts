/**
 * The prompts of our record that a history has not repeated yet, in order. Finding one costs the same for any number of
 * prompts.
 */
import { essence } from "./PromptEssence.ts"

export interface KnownPrompts {
  /** Whether our record has this prompt, at any place. */
  readonly has: (essence: string) => boolean
  /** Takes the earliest prompt that is one of these, and all prompts before it. Returns whether there is one. */
  readonly takeFirst: (essences: ReadonlyArray<string>) => boolean
  /**
   * Takes the prompt that begins at `at` of a text and ends where `isEnd` allows it. All prompts before it are taken,
   * too. If several fit, the earliest is taken. Returns its length, or undefined if none fits.
   */
  readonly takeAt: (text: string, at: number, isEnd: (offset: number) => boolean) => number | undefined
  /** The prompts that could be taken there if all before the place `from` were taken. Takes none. */
  readonly fitting: (
    text: string,
    at: number,
    isEnd: (offset: number) => boolean,
    from: number
  ) => ReadonlyArray<Fitting>
  /** The current place, to which `goTo` can return. */
  readonly place: () => number
  readonly goTo: (place: number) => void
}

/** A prompt that a text has at some offset. */
export interface Fitting {
  /** The place in our record, from 0. */
  readonly place: number
  readonly length: number
}

/** Prompts with equal essence. */
interface Same {
  readonly essence: string
  /** The places in our record, ascending. */
  readonly places: Array<number>
  /** The longest other prompt that this one begins with. */
  beginning: Same | undefined
}

/** Most prompts that are tried at one place, where each begins with the next one. */
const mostBeginnings = 64

export const make = (known: ReadonlyArray<string>): KnownPrompts => {
  const all = new Map<string, Same>()
  let longest = 0
  let next = 0

  for (const [place, prompt] of known.entries()) {
    const said = essence(prompt)
    longest = Math.max(longest, said.length)
    const same = all.get(said)
    if (same === undefined) all.set(said, { essence: said, places: [place], beginning: undefined })
    else same.places.push(place)
  }
  const sorted = inOrder(all)

  const placeOf = (same: Same | undefined, from: number): number | undefined => {
    if (same === undefined) return undefined
    return same.places[firstWhere(same.places, (place) => place >= from)]
  }
  const fitting: KnownPrompts["fitting"] = (text, at, isEnd, from) => {
    const rest = text.slice(at, at + longest)
    const found: Array<Fitting> = []
    // All prompts that `rest` begins with are beginnings of the last prompt that sorts at or before it.
    let same = sorted[firstWhere(sorted, (said) => said.essence > rest) - 1]
    for (let count = 0; same !== undefined && count < mostBeginnings; count += 1, same = same.beginning) {
      const { length } = same.essence
      if (!isEnd(at + length) || !rest.startsWith(same.essence)) continue
      const place = placeOf(same, from)
      if (place !== undefined) found.push({ place, length })
    }
    return found
  }

  return {
    has: (said) => all.has(said),
    takeFirst: (essences) => {
      const places = essences.flatMap((said) => placeOf(all.get(said), next) ?? [])
      if (places.length === 0) return false
      next = Math.min(...places) + 1
      return true
    },
    takeAt: (text, at, isEnd) => {
      const [first, ...others] = fitting(text, at, isEnd, next)
      if (first === undefined) return undefined
      const earliest = others.reduce((best, one) => (one.place < best.place ? one : best), first)
      next = earliest.place + 1
      return earliest.length
    },
    fitting,
    place: () => next,
    goTo: (place) => {
      next = place
    }
  }
}

/** Sorts prompts, and links each to its longest beginning. Empty prompts are left out. */
const inOrder = (all: ReadonlyMap<string, Same>): ReadonlyArray<Same> => {
  const sorted = [...all.values()].filter((same) => same.essence !== "")
  sorted.sort((one, other) => (one.essence < other.essence ? -1 : 1))
  const open: Array<Same> = []
  for (const same of sorted) {
    for (let last = open.at(-1); last !== undefined && !same.essence.startsWith(last.essence); last = open.at(-1)) {
      open.pop()
    }
    same.beginning = open.at(-1)
    open.push(same)
  }
  return sorted
}

/** The index of the first item for which `holds` is true, by binary search. It must hold for all later items, too. */
const firstWhere = <A>(list: ReadonlyArray<A>, holds: (item: A) => boolean): number => {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    const item = list[middle]
    if (item === undefined || holds(item)) high = middle
    else low = middle + 1
  }
  return low
}
