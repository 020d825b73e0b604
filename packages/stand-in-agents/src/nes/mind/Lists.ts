/** Lists in a text: members of an enum, parameters, cases of a union, elements in brackets. */
import { placesOf } from "./Words.ts"

/** How far a list is read on each side of a place in it, in UTF-16 units. */
const reach = 2000
const mostPlaces = 40

const opening = new Set(["(", "[", "{", "<"])
const closing = new Set([")", "]", "}", ">"])

/** The beginning of the list around an offset: behind its bracket, or behind `=`. */
const beginning = (
  text: string,
  at: number
): { readonly start: number; readonly isInBrackets: boolean } | undefined => {
  let depth = 0
  for (let before = at - 1; before >= 0 && at - before < reach; before--) {
    const sign = text.charAt(before)
    if (sign === "=" && text.charAt(before + 1) === ">") continue
    if (sign === ">" && text.charAt(before - 1) === "=") continue
    if (closing.has(sign)) depth++
    else if (opening.has(sign) && depth-- === 0) return { start: before + 1, isInBrackets: true }
    else if (depth === 0 && sign === "=" && isUnion(text.slice(before + 1, at))) {
      return { start: before + 1, isInBrackets: false }
    }
  }
  return undefined
}

/** Whether the text between `=` and a place belongs to one union or list without brackets. */
const isUnion = (between: string): boolean =>
  !between.includes(";") && between.split(/\r\n|\n|\r/).every((line, index) => index === 0 || /^\s*\|/.test(line))

const item =
  /^\s*(?:\|\s*)?(?:(?:public|private|protected|readonly|static|final|mut|const|pub)\s+)*("[^"\n]*"|'[^'\n]*'|[\p{L}_$][\p{L}\p{N}_$]*)/u

/** The items of the list around an offset, each by its first word or string. */
const listAround = (text: string, at: number): ReadonlyArray<string> => {
  const found = beginning(text, at)
  if (found === undefined) return []
  const items: Array<string> = []
  let depth = 0
  let start = found.start
  const close = (end: number) => {
    const [, word] = item.exec(text.slice(start, Math.min(end, start + 200))) ?? []
    if (word !== undefined) items.push(word)
    start = end + 1
  }
  for (let next = found.start; next <= text.length && next - at < reach; next++) {
    const sign = text.charAt(next)
    const isBreak = sign === "\n" && (found.isInBrackets || !/^\s*\|/.test(text.slice(next, next + 100)))
    const isEnd =
      sign === "" || (depth === 0 && (closing.has(sign) || (!found.isInBrackets && (sign === ";" || isBreak))))
    if (isEnd) {
      close(next)
      return items
    }
    if (opening.has(sign)) depth++
    else if (closing.has(sign)) depth--
    else if (depth === 0 && (sign === "," || sign === "|" || sign === ";" || isBreak)) close(next)
  }
  return items
}

/** The lists in a text that hold all these words, the longest first. */
export const listsWith = (text: string, words: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> =>
  placesOf(text, words[0] ?? "", mostPlaces)
    .map((place) => listAround(text, place))
    .filter((list) => words.every((word) => list.includes(word)))
    .toSorted((one, other) => other.length - one.length)

/** What follows two words that follow each other in a list. */
export const nextInList = (texts: ReadonlyArray<string>, one: string, two: string): string | undefined => {
  for (const text of texts) {
    for (const list of listsWith(text, [one, two])) {
      const at = list.indexOf(one)
      const next = list[at + 1] === two ? list[at + 2] : undefined
      if (next !== undefined) return next
    }
  }
  return undefined
}
