/** JSON with comments and trailing commas as a tree, in which each value has its place. */
import type { JsonPath } from "@signalbox/contracts/JsonIssues"
import * as Result from "effect/Result"
import { createScanner, getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser"

/** From 1. */
export interface Place {
  readonly line: number
  readonly column: number
}

export interface JsonTree {
  /** Undefined if the text holds nothing but spaces and comments. */
  readonly root: Node | undefined
  readonly value: unknown
  /** The node of a member or an element. Undefined if it is missing. */
  readonly nodeAt: (path: JsonPath) => Node | undefined
  /** The place of the value at a path, from the name of a member on. The nearest value that is there, if it is missing. */
  readonly placeAt: (path: JsonPath) => Place
  /** The members whose name an object has already, in the order of the text. */
  readonly repeated: ReadonlyArray<{ readonly path: JsonPath; readonly place: Place }>
}

export interface JsonFault {
  readonly place: Place
  /** A clause without a full stop. */
  readonly message: string
}

/** The deepest nesting. Nobody writes deeper JSON by hand, and the parser calls itself for each level. */
const maxDepth = 64

export const parse = (text: string): Result.Result<JsonTree, JsonFault> => {
  const placeOf = placesIn(text)
  const deep = tooDeep(text)
  if (deep !== undefined) return Result.fail({ place: placeOf(deep), message: `This is nested over ${maxDepth} deep` })
  const errors: Array<ParseError> = []
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true })
  const [first] = errors
  if (first !== undefined)
    return Result.fail({
      place: placeOf(first.offset),
      message: words[printParseErrorCode(first.error)] ?? "This is not JSON"
    })
  return Result.succeed({
    root,
    value: root === undefined ? undefined : getNodeValue(root),
    nodeAt: (path) => walk(root, path).node,
    placeAt: (path) => placeOf(walk(root, path).offset),
    repeated:
      root === undefined ? [] : repeatedIn(root, []).map(({ offset, path }) => ({ path, place: placeOf(offset) }))
  })
}

/** What the parser calls its errors, in words. */
const words: Readonly<Record<string, string>> = {
  InvalidSymbol: "Expected a value, or a name in double quotes",
  InvalidNumberFormat: "Expected a number",
  PropertyNameExpected: "Expected a name in double quotes",
  ValueExpected: "Expected a value",
  ColonExpected: "Expected a colon",
  CommaExpected: "Expected a comma",
  CloseBraceExpected: "Expected }",
  CloseBracketExpected: "Expected ]",
  EndOfFileExpected: "Expected nothing more",
  UnexpectedEndOfComment: "This comment has no end",
  UnexpectedEndOfString: "This text has no closing quote",
  UnexpectedEndOfNumber: "This number has no end",
  InvalidUnicode: "Expected four hexadecimal digits behind \\u",
  InvalidEscapeCharacter: "No such character can stand behind a backslash",
  InvalidCharacter: "A control character has to be written as an escape"
}

/** Returns a function that finds the place of an offset. */
const placesIn = (text: string): ((offset: number) => Place) => {
  const starts = [0]
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1)
  return (offset) => {
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 }
  }
}

/** The offset of the first brace or bracket that is nested too deep. */
const tooDeep = (text: string): number | undefined => {
  const scanner = createScanner(text, true)
  let depth = 0
  while (scanner.getPosition() < text.length) {
    scanner.scan()
    const offset = scanner.getTokenOffset()
    const sign = text[offset]
    if (sign === "{" || sign === "[") depth += 1
    if (sign === "}" || sign === "]") depth -= 1
    if (depth > maxDepth) return offset
  }
  return undefined
}

/** The node at a path, and the offset of the nearest value that is there. */
const walk = (root: Node | undefined, path: JsonPath): { readonly node: Node | undefined; readonly offset: number } => {
  let node = root
  let offset = root?.offset ?? 0
  for (const step of path) {
    const found =
      typeof step === "number"
        ? node?.type === "array"
          ? node.children?.[step]
          : undefined
        : membersOf(node).find(({ name }) => name === step)
    if (found === undefined) return { node: undefined, offset }
    offset = found.offset
    node = "name" in found ? found.value : found
  }
  return { node, offset }
}

interface Member {
  readonly name: string
  /** The offset of the name. */
  readonly offset: number
  readonly value: Node | undefined
}

const membersOf = (node: Node | undefined): ReadonlyArray<Member> =>
  node?.type === "object"
    ? (node.children ?? []).map(({ children: [name, value] = [], offset }) => ({
        name: String(name?.value),
        offset,
        value
      }))
    : []

const repeatedIn = (
  node: Node,
  path: JsonPath
): ReadonlyArray<{ readonly path: JsonPath; readonly offset: number }> => {
  if (node.type === "array")
    return (node.children ?? []).flatMap((element, index) => repeatedIn(element, [...path, index]))
  const names = new Set<string>()
  return membersOf(node).flatMap(({ name, offset, value }) => {
    const own = [...path, name]
    const again = names.has(name) ? [{ path: own, offset }] : []
    names.add(name)
    return value === undefined ? again : [...again, ...repeatedIn(value, own)]
  })
}
