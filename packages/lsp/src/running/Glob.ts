/**
 * Globs of the protocol: `*` within a part of a path, `?`, `**` over any parts, `{a,b}` and `[a-z]`. Matching takes time in
 * proportion to the lengths of both, whatever the pattern is.
 */
import * as Predicate from "effect/Predicate"
import * as FileUri from "../FileUri.ts"

/** Longer patterns match nothing. */
const longest = 1000
/** Most patterns that the alternatives of one pattern become. */
const mostAlternatives = 256

/** The place of the brace that closes the one at `open`. -1 if none does. */
const closing = (pattern: string, open: number): number => {
  let depth = 0
  for (let at = open; at < pattern.length; at++) {
    if (pattern[at] === "{") depth += 1
    else if (pattern[at] === "}") {
      depth -= 1
      if (depth === 0) return at
    }
  }
  return -1
}

/** Parts between the commas of the outermost level. */
const alternatives = (inner: string): ReadonlyArray<string> => {
  const parts: Array<string> = []
  let depth = 0
  let from = 0
  for (let at = 0; at < inner.length; at++) {
    if (inner[at] === "{") depth += 1
    else if (inner[at] === "}") depth -= 1
    else if (inner[at] === "," && depth === 0) {
      parts.push(inner.slice(from, at))
      from = at + 1
    }
  }
  return [...parts, inner.slice(from)]
}

/** Patterns without braces that together match the same. None if there are too many. */
const expanded = (pattern: string): ReadonlyArray<string> => {
  let waiting = [pattern]
  for (let round = 0; round < longest; round++) {
    const next: Array<string> = []
    let isOpen = false
    for (const each of waiting) {
      const open = each.indexOf("{")
      const close = open < 0 ? -1 : closing(each, open)
      if (close < 0) {
        next.push(each)
        continue
      }
      isOpen = true
      for (const one of alternatives(each.slice(open + 1, close)))
        next.push(each.slice(0, open) + one + each.slice(close + 1))
    }
    if (next.length > mostAlternatives) return []
    if (!isOpen) return next
    waiting = next
  }
  return []
}

type Token =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "one" }
  | { readonly kind: "some" }
  | { readonly kind: "class"; readonly negated: boolean; readonly ranges: ReadonlyArray<readonly [string, string]> }

const classAt = (part: string, open: number): readonly [Token, number] | undefined => {
  const close = part.indexOf("]", open + 2)
  if (close < 0) return undefined
  const negated = part[open + 1] === "!" || part[open + 1] === "^"
  const characters = Array.from(part.slice(open + (negated ? 2 : 1), close))
  const ranges: Array<readonly [string, string]> = []
  for (let at = 0; at < characters.length; at++) {
    const first = characters[at] ?? ""
    const last = characters[at + 1] === "-" ? characters[at + 2] : undefined
    ranges.push([first, last ?? first])
    if (last !== undefined) at += 2
  }
  return [{ kind: "class", negated, ranges }, close + 1]
}

const tokensOf = (part: string): ReadonlyArray<Token> => {
  const tokens: Array<Token> = []
  for (let at = 0; at < part.length;) {
    const character = String.fromCodePoint(part.codePointAt(at) ?? 0)
    const found = character === "[" ? classAt(part, at) : undefined
    if (found !== undefined) {
      tokens.push(found[0])
      at = found[1]
      continue
    }
    if (character === "*") {
      if (tokens.at(-1)?.kind !== "some") tokens.push({ kind: "some" })
    } else tokens.push(character === "?" ? { kind: "one" } : { kind: "text", text: character })
    at += character.length
  }
  return tokens
}

const hasCharacter = (token: Token, character: string): boolean => {
  if (token.kind === "text") return token.text === character
  if (token.kind === "class")
    return token.ranges.some(([first, last]) => first <= character && character <= last) !== token.negated
  return true
}

/**
 * Whether a list of wildcards has a list of things. `isStar`: stands for any number of them. Goes back to the last star only, so it never
 * takes more steps than both lengths multiplied.
 */
const matchesAll = <P, T>(
  patterns: ReadonlyArray<P>,
  things: ReadonlyArray<T>,
  isStar: (pattern: P) => boolean,
  has: (pattern: P, thing: T) => boolean
): boolean => {
  let at = 0
  let star = -1
  let resume = 0
  for (let index = 0; index < things.length;) {
    const thing = things[index]
    const pattern = patterns[at]
    if (pattern !== undefined && isStar(pattern)) {
      star = at
      resume = index
      at += 1
    } else if (pattern !== undefined && thing !== undefined && has(pattern, thing)) {
      at += 1
      index += 1
    } else if (star >= 0) {
      at = star + 1
      resume += 1
      index = resume
    } else return false
  }
  return patterns.slice(at).every(isStar)
}

const hasPart = ({ tokens }: { readonly tokens: ReadonlyArray<Token> }, part: string): boolean =>
  matchesAll(tokens, Array.from(part), ({ kind }) => kind === "some", hasCharacter)

/** Reads a glob once for many paths. Both are compared part by part. */
export const matcher = (pattern: string): ((path: string) => boolean) => {
  if (pattern.length > longest) return () => false
  const all = expanded(pattern).map((each) =>
    each.split("/").map((part) => ({ isStar: part === "**", tokens: tokensOf(part) }))
  )
  return (path) => {
    const parts = path.split("/")
    return all.some((each) => matchesAll(each, parts, ({ isStar }) => isStar, hasPart))
  }
}

/** Whether the glob has the path. */
export const matches = (pattern: string, path: string): boolean => matcher(pattern)(path)

/** A glob that is relative to a folder, whose absolute path is `base`. */
export interface Relative {
  readonly base: string
  readonly pattern: string
}

/** Reads a `RelativePattern`. Undefined if it is none, or not about files. */
export const relativeOf = (pattern: unknown): Relative | undefined => {
  if (!Predicate.isObject(pattern)) return undefined
  const { baseUri, pattern: inner } = pattern
  const uri = Predicate.isObject(baseUri) ? baseUri["uri"] : baseUri
  const base = typeof uri === "string" ? FileUri.pathOf(uri) : undefined
  return base === undefined || typeof inner !== "string" ? undefined : { base, pattern: inner }
}

/** Whether a glob of a server, or one relative to a folder, has an absolute path. */
export const matchesPattern = (pattern: unknown, path: string): boolean => {
  if (typeof pattern === "string") return matches(pattern, path)
  const relative = relativeOf(pattern)
  if (relative === undefined) return false
  const inside = within(relative.base, path)
  return inside !== undefined && matches(relative.pattern, inside)
}

/** The part of a path behind a folder. Undefined if it is not in it. */
export const within = (base: string, path: string): string | undefined => {
  const folder = base.endsWith("/") ? base : `${base}/`
  return path.startsWith(folder) ? path.slice(folder.length) : undefined
}
