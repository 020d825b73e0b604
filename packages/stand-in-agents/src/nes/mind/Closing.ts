/** Closes what is open on the caret's line and is not closed further down. */
import { lineBreak } from "./Lines.ts"
import type { Scene } from "./Scene.ts"

const closers: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" }

/** The brackets that a line leaves open, and the quote of its last string if that has no end. */
const openIn = (line: string): { readonly waiting: ReadonlyArray<string>; readonly quote: string } => {
  const waiting: Array<string> = []
  let quote = ""
  for (let at = 0; at < line.length; at++) {
    const sign = line.charAt(at)
    if (sign === "\\") at++
    else if (quote !== "") quote = sign === quote ? "" : quote
    else if (sign === '"' || sign === "`" || (sign === "'" && !/\w/.test(line.charAt(at - 1)))) quote = sign
    else if (closers[sign] !== undefined) waiting.push(closers[sign])
    else if (sign === waiting.at(-1)) waiting.pop()
  }
  return { waiting, quote }
}

/** How many more brackets a text opens than it closes. */
const surplus = (text: string, opener: string, closer: string): number => {
  let count = 0
  for (const sign of text)
    if (sign === opener) count++
    else if (sign === closer) count--
  return count
}

/** Whether the file ends its statements with `;`: most lines that end with `)` or `);` do. */
const endsWithSemicolons = (text: string): boolean => {
  const ends = text.split(lineBreak)
  const withOne = ends.filter((line) => line.endsWith(");")).length
  return withOne > ends.filter((line) => line.endsWith(")")).length
}

const header = /^\s*(?:(?:}\s*)?(?:if|for|while|switch|catch|function|else|def|fn|class)\b)/

export const closing = ({ text }: Scene, _: number, typed: string): string | undefined => {
  const line = typed.trimEnd()
  if (line !== typed || /[([{,.=+\-*/&|<>:\\]$/.test(line)) return undefined
  const { quote, waiting } = openIn(line)
  if (waiting.length === 0 || quote === "'") return undefined
  for (const [opener, closer] of Object.entries(closers))
    if (waiting.includes(closer) && surplus(text, opener, closer) < waiting.filter((each) => each === closer).length)
      return undefined
  const ends = waiting.toReversed().map((closer) => (closer === "}" ? " }" : closer))
  const end = waiting[0] === ")" && endsWithSemicolons(text) && !header.test(line) ? ";" : ""
  return quote + ends.join("") + end
}
