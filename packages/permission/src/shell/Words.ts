/** One word of the parser, as far as its text shows what it becomes. */
import type { Assignment, Word as ParsedWord, WordPart } from "unbash"
import type { Word } from "./ShellReading.ts"

/** A word, and what is known of one that is unknown. */
export interface SeenWord {
  readonly word: Word
  /** The text before the first part that is known when it runs only, behind the quotes. */
  readonly leading: string
  /** It stays one word, whatever the unknown parts become. */
  readonly isOne: boolean
}

export const of = (parsed: ParsedWord): SeenWord => {
  const { text } = parsed
  const parts = parsed.parts ?? [bare(parsed)]
  const leading = leadingOf(parts)
  const unknown = (isOne: boolean): SeenWord => ({ word: { type: "unknown", text }, leading, isOne })
  const known = (word: Word): SeenWord => ({ word, leading, isOne: true })

  if (mayBraceExpand(parts)) return unknown(false)
  const value = literal(parts)
  if (text.startsWith("~")) {
    if (!/^~(?:\/|$)/.test(text) || value === undefined || hasPattern(parts)) return unknown(value !== undefined)
    return known({ type: "home", rest: value.slice(2) })
  }
  // After `=` and `:` a tilde may become the home folder, too.
  if (parts.some((part) => part.type === "Literal" && /[=:]~/.test(part.text))) return unknown(true)
  if (hasPattern(parts)) {
    const found = patternOf(parts)
    return found === undefined ? unknown(false) : { word: { type: "pattern", text, ...found }, leading, isOne: false }
  }
  if (value !== undefined) return known({ type: "literal", value })
  const isOne = parts.every(staysOne)
  return isOne && parts.every(isCounted)
    ? { word: { type: "unknown", text, isNumber: true }, leading, isOne }
    : unknown(isOne)
}

/** An assignment among the arguments of a builtin that declares variables. */
export const ofAssignment = ({ end, name, text, value }: Assignment): SeenWord => {
  // A list in brackets is part of the line, and no text that the builtin reads.
  if (value.type === "ArrayValue") return { word: { type: "unknown", text }, leading: name, isOne: true }
  const head = text.slice(0, text.length - (end - value.pos))
  const seen = of(value)
  const leading = head + seen.leading
  const isLiteral = seen.word.type === "literal" && !/[[\\]/.test(head)
  return {
    word: isLiteral ? { type: "literal", value: leading } : { type: "unknown", text },
    leading,
    isOne: seen.isOne
  }
}

/** The text that a variable has after an assignment. Undefined: known when it runs only. */
export const assignedText = ({ index, name, text, value }: Assignment): string | undefined => {
  if (index !== undefined || value.type !== "Word" || !text.startsWith(`${name}=`)) return undefined
  const { word } = of(value)
  return word.type === "literal" ? word.value : undefined
}

/** The literal value of a part, behind its quotes. Undefined: known when it runs only. */
const literalPart = (part: WordPart): string | undefined => {
  if (part.type === "Literal" || part.type === "SingleQuoted") return part.value
  // What an escape of another character becomes depends on the locale.
  if (part.type === "AnsiCQuoted") return isAscii(part.value) ? part.value : undefined
  return part.type === "DoubleQuoted" ? literal(part.parts) : undefined
}

const literal = (parts: ReadonlyArray<WordPart>): string | undefined => {
  let value = ""
  for (const part of parts) {
    const piece = literalPart(part)
    if (piece === undefined) return undefined
    value += piece
  }
  return value
}

const leadingOf = (parts: ReadonlyArray<WordPart>): string => {
  let leading = ""
  for (const part of parts) {
    const piece = literalPart(part)
    if (piece === undefined) {
      const first = part.type === "DoubleQuoted" ? part.parts[0] : undefined
      return first?.type === "Literal" ? leading + first.value : leading
    }
    leading += piece
  }
  return leading
}

/** A word without parts has no quotes and no expansions, but for backslashes. */
const bare = ({ end, pos, text, value }: ParsedWord): WordPart => ({ type: "Literal", pos, end, text, value })

/** Unquoted text of a word, with backslashes before what they quote taken out. */
const unquoted = (part: WordPart): string => (part.type === "Literal" ? part.text.replaceAll(/\\[^]/g, "") : "")

const mayBraceExpand = (parts: ReadonlyArray<WordPart>): boolean => {
  if (parts.some(({ type }) => type === "BraceExpansion")) return true
  const bareText = parts.map(unquoted).join("")
  const inside = bareText.slice(bareText.indexOf("{") + 1, bareText.lastIndexOf("}"))
  return bareText.includes("{") && /,|\.\./.test(inside)
}

const isPattern = (part: WordPart): boolean => {
  if (part.type === "Glob" || part.type === "ExtendedGlob") return true
  const text = unquoted(part)
  const bracket = text.indexOf("[")
  return /[*?]/.test(text) || (bracket !== -1 && text.indexOf("]", bracket) !== -1)
}

const hasPattern = (parts: ReadonlyArray<WordPart>): boolean => parts.some(isPattern)

/**
 * The literal text before the path segment that holds the first sign of a pattern, and the rest. Undefined where a name that fits may lie outside
 * of that folder: behind `..`, or where a segment may become `..`.
 */
const patternOf = (
  parts: ReadonlyArray<WordPart>
): { readonly folder: string; readonly below: ReadonlyArray<string> } | undefined => {
  const first = parts.findIndex(isPattern)
  const before = literal(parts.slice(0, first))
  if (before === undefined) return undefined
  let shape = ""
  for (const part of parts.slice(first)) {
    const piece =
      part.type === "Glob" && !part.parts?.some(({ type }) => type !== "Literal") ? part.value : literalPart(part)
    if (piece === undefined) return undefined
    shape += piece
  }
  const sign = beforeSign(parts[first])
  const head = before + sign
  const folder = head.slice(0, head.lastIndexOf("/") + 1)
  const rest = before.slice(folder.length) + shape
  const below = rest.split("/").filter((segment) => segment !== "")
  return below.some((segment) => /^\.\.?(?:$|[*?[])/.test(segment)) ? undefined : { folder, below }
}

/** What of a part stands before its first sign of a pattern. */
const beforeSign = (part: WordPart | undefined): string =>
  part?.type === "Literal" && !part.text.includes("\\") ? part.text.slice(0, part.text.search(/[*?[]/)) : ""

/** Expansions in quotes stay one word, but for those of lists. */
const staysOne = (part: WordPart): boolean =>
  literalPart(part) !== undefined ||
  (part.type === "DoubleQuoted" &&
    part.parts.every(
      (child) =>
        !(child.type === "SimpleExpansion" && child.text === "$@") &&
        !(child.type === "ParameterExpansion" && /@/.test(child.text))
    )) ||
  (part.type === "SimpleExpansion" && /^\$[#?$!]$/.test(part.text)) ||
  part.type === "ProcessSubstitution"

/** Nothing of it is unknown but numbers that the shell counts: the last status, how many arguments, the ids of processes. */
const isCounted = (part: WordPart): boolean =>
  literalPart(part) !== undefined ||
  (part.type === "SimpleExpansion" && /^\$[#?$!]$/.test(part.text)) ||
  (part.type === "DoubleQuoted" && part.parts.every(isCounted))

const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text)
