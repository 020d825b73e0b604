/** A pattern of commands, word by word: `*` stands for characters within one word, `**` for any number of words. */
import type { Word } from "../shell/ShellReading.ts"
import * as TextPattern from "./TextPattern.ts"

export type CommandPattern = ReadonlyArray<string>

/** The words of a pattern. Single and double quotes hold a word together. */
export const of = (text: string): CommandPattern =>
  [...text.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+|["']/g)].map(([word]) =>
    word.replaceAll(/"([^"]*)"|'([^']*)'/g, "$1$2")
  )

/**
 * `yes`: it is as the pattern says, whatever its unknown words become. `maybe`: that depends on them. A word that is known at run time
 * only may become any number of words.
 */
export type Match = "yes" | "maybe" | "no"

/** Whether a command whose program has this name may be as a pattern says. */
export const mayBegin = ([program]: CommandPattern, name: string): boolean =>
  program === "**" || (program !== undefined && TextPattern.matches(program, name))

/** Whether the first words show that a pattern is about something else. So it is with most patterns. */
const differs = (pattern: CommandPattern, words: ReadonlyArray<Word>): boolean => {
  let at = 0
  for (; at < pattern.length; at += 1) {
    const wanted = pattern[at]
    const word = words[at]
    if (word !== undefined && word.type !== "literal") return false
    if (wanted === "**" || wanted === undefined) break
    if (word === undefined || !TextPattern.matches(wanted, word.value)) return true
  }
  // Behind `**`, a word without stars must be somewhere.
  for (; at < pattern.length; at += 1) {
    const wanted = pattern[at]
    if (wanted === undefined || wanted.includes("*")) continue
    return !words.some((word) => word.type !== "literal" || word.value === wanted)
  }
  return false
}

export const match = (pattern: CommandPattern, words: ReadonlyArray<Word>): Match => {
  if (pattern.length === 0 || words.length === 0 || differs(pattern, words)) return "no"
  if (reaches(pattern, words, false)) return "yes"
  return words.every(({ type }) => type === "literal") || !reaches(pattern, words, true) ? "no" : "maybe"
}

/**
 * Whether the pattern covers the words. It follows all places of the pattern where a word may be, so it takes pattern × words steps.
 *
 * @param hoping an unknown word counts as whatever fits
 */
const reaches = (pattern: CommandPattern, words: ReadonlyArray<Word>, hoping: boolean): boolean => {
  let places = skip(pattern, new Set([0]))
  for (const word of words) {
    places = skip(pattern, word.type === "literal" || !hoping ? after(pattern, places, word) : from(pattern, places))
    if (places.size === 0) return false
  }
  return places.has(pattern.length)
}

/** The places behind one word. */
const after = (pattern: CommandPattern, places: ReadonlySet<number>, word: Word): ReadonlySet<number> => {
  const next = new Set<number>()
  for (const place of places) {
    const wanted = pattern[place]
    if (wanted === "**") next.add(place)
    else if (wanted !== undefined && word.type === "literal" && TextPattern.matches(wanted, word.value))
      next.add(place + 1)
  }
  return next
}

/** The places behind any number of words. */
const from = (pattern: CommandPattern, places: ReadonlySet<number>): ReadonlySet<number> => {
  const first = Math.min(...places)
  return new Set(Array.from({ length: pattern.length + 1 - first }, (_, further) => first + further))
}

/** `**` may stand for no word at all. */
const skip = (pattern: CommandPattern, places: ReadonlySet<number>): ReadonlySet<number> => {
  const all = new Set(places)
  for (const place of all) if (pattern[place] === "**") all.add(place + 1)
  return all
}
