/** The next line of a sequence: two lines above differ in a number, or in names that follow each other in a list. */
import { indentation, lineAbove } from "./Lines.ts"
import { nextInList } from "./Lists.ts"
import type { Scene } from "./Scene.ts"

/** Words, numbers, and all signs between them. The number at the end of a name is a number. */
const token = /[\p{L}\p{M}_$]+|\p{N}+|[^\p{L}\p{M}\p{N}_$]/gu

/** The longest line that is continued, in UTF-16 units. */
const longest = 300

interface Pair {
  readonly one: string
  readonly two: string
}

const lowered = (word: string): string => word.charAt(0).toLowerCase() + word.slice(1)
const raised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** The number after two numbers. Zeros in front stay. */
const nextNumber = ({ one, two }: Pair): string | undefined => {
  if (!/^[0-9]{1,9}$/.test(one) || !/^[0-9]{1,9}$/.test(two)) return undefined
  const next = 2 * Number(two) - Number(one)
  return next < 0 ? undefined : String(next).padStart(two.startsWith("0") ? two.length : 1, "0")
}

/** What both words begin with, up to the last capital letter that differs: `get` of `getName` and `getAge`. */
const sharedPrefix = ({ one, two }: Pair): string => {
  let at = 0
  while (at < one.length && one.charAt(at) === two.charAt(at)) at++
  while (at > 0 && !/^[A-Z]/.test(one.slice(at))) at--
  return one.slice(0, at)
}

/** The name after two names, by the lists of the texts. */
const nextName = (pair: Pair, texts: ReadonlyArray<string>): string | undefined => {
  const found = nextInList(texts, pair.one, pair.two)
  if (found !== undefined) return found
  const prefix = sharedPrefix(pair)
  if (prefix === "") return undefined
  const inList = nextInList(texts, lowered(pair.one.slice(prefix.length)), lowered(pair.two.slice(prefix.length)))
  return inList && prefix + raised(inList)
}

/** The line after two lines, or undefined if they are no sequence. */
const nextLine = (one: string, two: string, texts: ReadonlyArray<string>): string | undefined => {
  if (one === two || one.length > longest || two.length > longest) return undefined
  const before = one.match(token) ?? []
  const after = two.match(token) ?? []
  if (before.length !== after.length) return undefined
  const line: Array<string> = []
  for (const [index, word] of after.entries()) {
    const pair = { one: before[index] ?? "", two: word }
    const next = pair.one === word ? word : (nextNumber(pair) ?? nextName(pair, texts))
    if (next === undefined) return undefined
    line.push(next)
  }
  return line.join("")
}

/** The rest of the caret's line, if the two lines above begin a sequence. */
export const sequel = ({ others, text }: Scene, lineStart: number, typed: string): string | undefined => {
  const second = lineAbove(text, lineStart)
  const first = second && lineAbove(text, second.start)
  if (first === undefined || second === undefined) return undefined
  const two = text.slice(second.start, second.end)
  const next = nextLine(text.slice(first.start, first.end), two, [text, ...others.map((other) => other.text)])
  if (next === undefined || two.trim() === "") return undefined
  const line = typed.trim() === "" && indentation(next).startsWith(typed) ? next : next.startsWith(typed) ? next : ""
  return line.length > typed.length ? line.slice(typed.length) : undefined
}
