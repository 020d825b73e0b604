import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Expression } from "../../src/dialect/Expression.ts"
import * as Parser from "../../src/dialect/Parser.ts"

/** The expression as JSON has it; calls as an object with their name. */
const plain = (expression: Expression): unknown => {
  switch (expression.type) {
    case "atom":
      return expression.value
    case "array":
      return expression.items.map(plain)
    case "object":
      return Object.fromEntries(expression.members.map(([key, value]) => [key, plain(value)]))
    case "call":
      return { call: expression.name, args: expression.args.map(plain) }
  }
}

const read = (text: string): unknown => plain(Result.getOrThrow(Parser.parse(text)))
const failureOf = (text: string) => {
  const found = Parser.parse(text)
  if (Result.isSuccess(found)) throw new Error(`It was read: ${JSON.stringify(plain(found.success))}`)
  return found.failure
}

const json = Arbitrary.schema(Schema.Json)
const anyText = Arbitrary.schema(Schema.String)

describe("Parser", () => {
  it.prop("every JSON text is a program, and means itself", { json }, ({ json }) => {
    for (const indent of [0, 2])
      assert.deepStrictEqual(read(JSON.stringify(json, undefined, indent)), JSON.parse(JSON.stringify(json)))
  })

  it.prop("no text makes it throw, and each error points into the text", { anyText }, ({ anyText }) => {
    for (const text of [anyText, `f(${anyText}`, `{${anyText}}`, `"${anyText}`, `[1,${anyText}]`]) {
      const found = Parser.parse(text)
      if (Result.isSuccess(found)) continue
      const { column, line, message } = found.failure
      const lines = text.split("\n")
      assert.isAtMost(line, lines.length)
      assert.isAtMost(column, Array.from(lines[line - 1] ?? "").length + 1)
      assert.match(message, /^Line \d+, column \d+: .*\n {2}.*\n {2} *\^$/s)
    }
  })

  it.prop("a text in each kind of quotes is read as it was", { anyText }, ({ anyText }) => {
    for (const quote of ['"', "'", "`"]) {
      const escaped = anyText
        .replaceAll("\\", "\\\\")
        .replaceAll(quote, `\\${quote}`)
        .replaceAll("\n", "\\n")
        .replaceAll("\r", "\\r")
      assert.strictEqual(read(quote + escaped + quote), anyText)
    }
  })

  it("calls nest, keys may be bare, and a comma may stand at the end", () => {
    assert.deepStrictEqual(read("findReferences(findDefinitions(`X`,),)"), {
      call: "findReferences",
      args: [{ call: "findDefinitions", args: ["X"] }]
    })
    assert.deepStrictEqual(read(`{a: 1, 'b': [true, null, undefined,], "c": f(),}`), {
      a: 1,
      b: [true, null, undefined],
      c: { call: "f", args: [] }
    })
  })

  it("a key may be named as a member of every object", () => {
    const found = read(`{"__proto__": {"polluted": true}, constructor: 1}`)
    assert.isTrue(Object.hasOwn(found as object, "__proto__"))
    assert.isUndefined(({} as { polluted?: unknown }).polluted)
  })

  it("a text between backticks may have several lines", () => {
    assert.strictEqual(read("`a\nb`"), "a\nb")
  })

  const errors: ReadonlyArray<readonly [title: string, text: string, message: string]> = [
    [
      "a bracket is missing",
      'findReferences(findDefinitions("X")',
      'Line 1, column 36: expected "," or ")", but the program ends here.\n  findReferences(findDefinitions("X")\n                                     ^'
    ],
    [
      "a bare word",
      "f(X)",
      'Line 1, column 3: a bare word is no value. Expected "X" for a text, or X(…) for a call.\n  f(X)\n    ^'
    ],
    [
      "several expressions",
      "f()\n  g()",
      "Line 2, column 3: expected the end: a program is one expression. Put several into an array: [ … , … ], but g is here.\n    g()\n    ^"
    ],
    [
      "a text without an end",
      'f("a\nb")',
      'Line 1, column 3: expected " before the end of the line. Write \\n for a new line, or put the text between backticks.\n  f("a\n    ^'
    ],
    [
      "an unknown escape, behind a character of two units",
      "'🚦\\d'",
      "Line 1, column 3: expected \\n \\t \\r \\b \\f \\uXXXX, or a quote, slash or backslash behind a backslash. A backslash itself is \\\\.\n  '🚦\\d'\n    ^"
    ],
    [
      "a number with zeros before it",
      "[007]",
      "Line 1, column 2: expected a number as in JSON, such as 12, -0.5 or 1e3.\n  [007]\n   ^"
    ],
    ["a number without an end", "1e999", "Line 1, column 1: expected a smaller number.\n  1e999\n  ^"],
    [
      "an invisible character",
      "\u200b1",
      "Line 1, column 1: expected a value or a call, but the character U+200B is here.\n   1\n  ^"
    ],
    ["a key without a value", "{a}", 'Line 1, column 3: expected ":" behind the key "a", but } is here.\n  {a}\n    ^'],
    ["nothing", "", "Line 1, column 1: expected a value or a call, but the program ends here.\n  \n  ^"]
  ]
  for (const [title, text, message] of errors)
    it(`error with line and caret: ${title}`, () => assert.strictEqual(failureOf(text).message, message))

  it("a long line is shown around the place", () => {
    const { column, message } = failureOf(`[${"1, ".repeat(500)}X, ${"1, ".repeat(500)}]`)
    assert.strictEqual(column, 1502)
    const [, shown = "", caret = ""] = message.split("\n")
    assert.match(shown, /^ {2}…1, .*…$/)
    assert.isBelow(shown.length, 120)
    assert.strictEqual(shown[caret.indexOf("^")], "X")
  })

  it("depth is bounded, and the bound itself is permitted", () => {
    const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth)
    assert.isTrue(Result.isSuccess(Parser.parse(nested(Parser.most.depth + 1))))
    const failure = failureOf(nested(Parser.most.depth + 2))
    assert.strictEqual(failure.reason, "limit")
    assert.include(failure.message, "more than 64 deep")
    assert.include(failureOf("f(".repeat(30_000)).message, "more than 64 deep")
  })

  it("length is bounded, and says what it is", () => {
    const failure = failureOf(" ".repeat(Parser.most.characters + 1))
    assert.strictEqual(failure.reason, "limit")
    assert.include(failure.message, "the program has 65537 characters, and 65536 are read")
  })
})
