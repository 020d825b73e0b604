/** Calls and lists of parameters in a text, in any language that writes them as `name(one, two)`. */
import type { Span } from "./Scene.ts"
import { nameBefore } from "./Words.ts"

/** The longest list of arguments that is read, in UTF-16 units. */
const longest = 2000

const closers: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" }

export interface Call {
  readonly name: string
  /** The opening parenthesis. */
  readonly open: number
  readonly close: number
  /** The arguments without the spaces around them. */
  readonly list: ReadonlyArray<Span>
}

/** Words before a parenthesis that call nothing. */
const noCalls = new Set("if for while switch catch return with match elif await typeof function".split(" "))

const trimmed = (text: string, start: number, end: number): Span => {
  const part = text.slice(start, end)
  const from = start + part.length - part.trimStart().length
  return { start: from, end: Math.max(from, start + part.trimEnd().length) }
}

/** The end of a string that begins at the offset. The offset itself if there is no end on its line. */
const stringEnd = (text: string, at: number): number => {
  const quote = text.charAt(at)
  for (let next = at + 1; next < text.length && next - at < longest; next++) {
    const sign = text.charAt(next)
    if (sign === "\\") next++
    else if (sign === quote) return next
    else if (sign === "\n" && quote !== "`") return at
  }
  return at
}

/** The name of what has its parenthesis there: a word before it, or `name = (…) =>`. */
const nameAt = (text: string, open: number): string => {
  const name = nameBefore(text, open)
  if (name !== "") return name
  const before = text.slice(Math.max(0, open - 100), open).trimEnd()
  const equals = before.endsWith(" async") ? before.slice(0, -6).trimEnd() : before
  if (!equals.endsWith("=")) return ""
  const left = equals.slice(0, -1).trimEnd()
  return nameBefore(left, left.length)
}

/** Reads the call with that parenthesis. Undefined if it has no name or does not end soon. */
export const readCall = (text: string, open: number): Call | undefined => {
  const name = nameAt(text, open)
  if (name === "" || noCalls.has(name)) return undefined
  const waiting: Array<string> = []
  const list: Array<Span> = []
  let start = open + 1
  for (let at = open; at < text.length && at - open < longest; at++) {
    const sign = text.charAt(at)
    const closer = closers[sign]
    if (closer !== undefined) waiting.push(closer)
    else if (sign === '"' || sign === "'" || sign === "`") at = stringEnd(text, at)
    else if (sign === ")" || sign === "]" || sign === "}") {
      if (waiting.pop() !== sign) return undefined
      if (waiting.length > 0) continue
      const last = trimmed(text, start, at)
      if (last.end > last.start) list.push(last)
      return { name, open, close: at, list }
    } else if (sign === "," && waiting.length === 1) {
      list.push(trimmed(text, start, at))
      start = at + 1
    }
  }
  return undefined
}

/** The parenthesis that is open at the offset. */
export const openAt = (text: string, at: number): number | undefined => {
  let depth = 0
  for (let before = at - 1; before >= 0 && at - before < longest; before--) {
    const sign = text.charAt(before)
    if (sign === ")") depth++
    else if (sign === "(" && depth-- === 0) return before
  }
  return undefined
}

const declaring = new Set("function def fn func fun proc sub".split(" "))

/** Whether the call is a list of parameters: a word of the language stands before it, or a body behind it. */
export const isDeclaration = (text: string, { close, name, open }: Call): boolean => {
  if (nameBefore(text, open) === "") return true
  const before = text.slice(Math.max(0, open - name.length - 20), open - name.length).trimEnd()
  if (declaring.has(nameBefore(before, before.length))) return true
  const [first = ""] = text.slice(close + 1, close + 200).split(/[;\n]/, 1)
  return /^\s*(?:\{|=>|:[^,)]*\{\s*$|:[^,)]*=>)/.test(first)
}
