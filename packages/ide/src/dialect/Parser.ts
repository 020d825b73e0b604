/**
 * Reads Dialect: JSON, and calls of functions in it. It is read from left to right once, and each part costs its length.
 *
 * `Program := Expr`, `Expr := Call | Object | Array | Atom`, `Call := Ident "(" [Expr {"," Expr} [","]] ")"`.
 */
import * as Result from "effect/Result"
import type { Expression } from "./Expression.ts"
import * as ProgramError from "./ProgramError.ts"
import * as Scanner from "./Scanner.ts"

/** Bounds of a text: UTF-16 units, and how deep calls, arrays and objects may stand within each other. */
export const most = { characters: 64 * 1024, depth: 64 } as const

/** The expression of a program, or why it is none. */
export const parse = (source: string): Result.Result<Expression, ProgramError.ProgramError> => {
  if (source.length > most.characters)
    return Result.fail(
      ProgramError.at(
        source,
        most.characters,
        "limit",
        `the program has ${source.length} characters, and ${most.characters} are read. Write a shorter one.`
      )
    )
  try {
    return Result.succeed(program(Scanner.make(source)))
  } catch (error) {
    if (error instanceof Scanner.Unexpected)
      return Result.fail(ProgramError.at(source, error.at, error.reason, error.message))
    throw error
  }
}

const values = "a value or a call"

const program = (scanner: Scanner.Scanner): Expression => {
  const found = expression(scanner, 0)
  if (!scanner.isAtEnd())
    throw scanner.expected("the end: a program is one expression. Put several into an array: [ … , … ]")
  return found
}

const expression = (scanner: Scanner.Scanner, depth: number): Expression => {
  const at = scanner.place()
  if (depth > most.depth)
    throw new Scanner.Unexpected(
      at,
      "limit",
      `calls, arrays and objects stand more than ${most.depth} deep in each other.`
    )
  const text = scanner.string()
  if (text !== undefined) return { type: "atom", value: text, at }
  const number = scanner.number()
  if (number !== undefined) return { type: "atom", value: number, at }
  if (scanner.take("[")) return { type: "array", items: list(scanner, "]", () => expression(scanner, depth + 1)), at }
  if (scanner.take("{")) return { type: "object", members: list(scanner, "}", () => member(scanner, depth + 1)), at }
  const name = scanner.word()
  if (name === undefined) throw scanner.expected(values)
  if (scanner.take("("))
    return { type: "call", name, args: list(scanner, ")", () => expression(scanner, depth + 1)), at }
  if (constants.has(name)) return { type: "atom", value: constants.get(name), at }
  throw new Scanner.Unexpected(
    at,
    "syntax",
    `a bare word is no value. Expected ${JSON.stringify(name)} for a text, or ${name}(…) for a call.`
  )
}

const constants: ReadonlyMap<string, boolean | null | undefined> = new Map<string, boolean | null | undefined>([
  ["true", true],
  ["false", false],
  ["null", null],
  ["undefined", undefined]
])

/** What stands between an open bracket and its close. A comma may stand behind the last one. */
const list = <A>(scanner: Scanner.Scanner, close: string, one: () => A): ReadonlyArray<A> => {
  const items: Array<A> = []
  while (!scanner.take(close)) {
    items.push(one())
    if (scanner.take(",")) continue
    if (!scanner.take(close)) throw scanner.expected(`"," or "${close}"`)
    break
  }
  return items
}

const member = (scanner: Scanner.Scanner, depth: number): readonly [string, Expression] => {
  const key = scanner.string() ?? scanner.word()
  if (key === undefined) throw scanner.expected(`a key, such as name or "name", or "}"`)
  if (!scanner.take(":")) throw scanner.expected(`":" behind the key ${JSON.stringify(key.slice(0, 40))}`)
  return [key, expression(scanner, depth)]
}
