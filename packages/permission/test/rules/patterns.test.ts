/** Patterns of paths, commands and texts. */
import { assert, describe, it } from "@effect/vitest"
import * as CommandPattern from "../../src/rules/CommandPattern.ts"
import * as PathPattern from "../../src/rules/PathPattern.ts"
import * as TextPattern from "../../src/rules/TextPattern.ts"
import type { Word } from "../../src/shell/ShellReading.ts"

const bases: PathPattern.Bases = { home: "/home/me", project: "/p", folder: "/rules" }
const isPath = (pattern: string, path: string): boolean => PathPattern.matches(PathPattern.of(pattern, bases), path)

describe("A pattern of paths", () => {
  const cases: ReadonlyArray<readonly [pattern: string, path: string, matches: boolean]> = [
    ["/p/**", "/p/.env", true],
    ["/p/**", "/p/a\nb", true],
    ["/p/**", "/p", true],
    ["/p/**", "/pq", false],
    ["/p/*", "/p/a/b", false],
    ["/p/*", "/p/.env", true],
    ["/p/[a]", "/p/[a]", true],
    ["/p/[a]", "/p/a", false],
    ["/p/{a,b}", "/p/a", false],
    ["/p/a?c", "/p/abc", true],
    ["/p/a?c", "/p/ac", false],
    ["/p/**/x", "/p/x", true],
    ["/p/**/x", "/p/a/b/x", true],
    ["/p/**/x", "/p/a/b/y", false],
    ["**/.env*", "/q/r/.env.local", true],
    ["**", "/anything/at all", true],
    ["~/.ssh/**", "/home/me/.ssh/id", true],
    ["~", "/home/me", true],
    ["~root", "/root", false],
    ["${project}/src/**", "/p/src/a.ts", true],
    ["${projects}/src", "/p/src", false],
    ["src/*.ts", "/rules/src/a.ts", true],
    ["./src", "/rules/src", true],
    ["../src", "/src", true],
    ["/p/a*b*c", "/p/aXbYc", true],
    ["/p/a*b*c", "/p/aXbY", false]
  ]
  for (const [pattern, path, matches] of cases)
    it(`${pattern} is ${matches ? "" : "not "}${JSON.stringify(path)}`, () =>
      assert.strictEqual(isPath(pattern, path), matches))

  it("agrees with a simple reading of it, for all short patterns and paths", () => {
    /** Tries all ways. Slow, and clearly right. */
    const slow = (pattern: ReadonlyArray<string>, names: ReadonlyArray<string>): boolean => {
      const [first, ...rest] = pattern
      if (first === undefined) return names.length === 0
      if (first === "**") return slow(rest, names) || (names.length > 0 && slow(pattern, names.slice(1)))
      const [name, ...others] = names
      return name !== undefined && isName(first, name) && slow(rest, others)
    }
    const isName = (pattern: string, name: string): boolean => {
      if (pattern === "") return name === ""
      if (pattern.startsWith("*"))
        return isName(pattern.slice(1), name) || (name !== "" && isName(pattern, name.slice(1)))
      return name !== "" && (pattern[0] === "?" || pattern[0] === name[0]) && isName(pattern.slice(1), name.slice(1))
    }
    const upTo = (pieces: ReadonlyArray<string>, length: number): ReadonlyArray<ReadonlyArray<string>> =>
      length === 0 ? [[]] : [[], ...pieces.flatMap((piece) => upTo(pieces, length - 1).map((rest) => [piece, ...rest]))]
    const paths = upTo(["a", "ab", "b"], 4)
    let matching = 0
    for (const pattern of upTo(["**", "*", "a", "a*", "?b"], 4))
      for (const names of paths) {
        const expected = slow(pattern, names)
        if (expected) matching++
        const path = `/${names.join("/")}`
        assert.strictEqual(PathPattern.matches(pattern, path), expected, `${pattern.join("/")} against ${path}`)
      }
    assert.isAbove(matching, 1000)
  })

  it("takes no more steps than the pattern is long, for each character of the path", () => {
    let reads = 0
    const counted = (text: string) =>
      new Proxy(Object(text) as { readonly length: number; readonly [at: number]: string }, {
        get: (_, name) => {
          reads++
          return name === "length" ? text.length : text[Number(name)]
        }
      })
    const pattern = "*a".repeat(100) + "b"
    const name = "a".repeat(5_000)
    // @ts-expect-error: a text that counts how often it is read
    assert.isFalse(TextPattern.matches(pattern, counted(name)))
    assert.isBelow(reads, 20 * name.length * pattern.length)
  })

  it("may be about a name that a shell takes for another pattern", () => {
    const cases: ReadonlyArray<readonly [pattern: string, folder: string, below: string, maybe: boolean]> = [
      ["**/.env*", "/p", "*", false],
      ["**/.env*", "/p", ".*", true],
      ["**/.env*", "/p", ".e*", true],
      ["**/.env*", "/p", "*.ts", false],
      ["**/secret.key", "/p", "*.key", true],
      ["**/secret.key", "/p", "*.ts", false],
      ["**/secret.key", "/p", "s?????.k[ef]y", true],
      ["**/secret.key", "/p", "t*", false],
      ["**/[a]", "/p", "[b]", false],
      ["**/x", "/p", "[a-z]", true],
      ["**/xyz", "/p", "[", true],
      ["**/xyz", "/p", "x[]yz", true],
      ["/p/secrets/key", "/p", "s*/k*", true],
      ["/p/secrets/key", "/p", "s*", false],
      ["/p/secrets/**", "/p", "s*", true],
      ["/p/*/key", "/p/secrets", "*", true],
      ["/q/**", "/p", "*", false],
      ["/p", "/p", "*", false],
      ["**", "/p", "*", true],
      ["/p/**/a*b", "/p", "*/x*b", false],
      ["/p/**/a*b", "/p", "*/*x*b", true]
    ]
    for (const [pattern, folder, below, expected] of cases)
      assert.strictEqual(
        PathPattern.mayMatchBelow(PathPattern.of(pattern, bases), folder, below.split("/")),
        expected,
        `${pattern} and ${folder}/${below}`
      )
  })
})

const words = (...texts: ReadonlyArray<string>): ReadonlyArray<Word> =>
  texts.map((text): Word => {
    if (text.startsWith("$")) return { type: "unknown", text }
    return text.includes("*") ? { type: "pattern", text, folder: "", below: [text] } : { type: "literal", value: text }
  })

describe("A pattern of commands", () => {
  const cases: ReadonlyArray<readonly [pattern: string, words: ReadonlyArray<string>, match: CommandPattern.Match]> = [
    ["git status", ["git", "status"], "yes"],
    ["git status", ["git", "status", "-s"], "no"],
    ["git status **", ["git", "status"], "yes"],
    ["git status **", ["git", "status", "-s", "src"], "yes"],
    ["git status **", ["git", "stash"], "no"],
    ["git *", ["git", "status"], "yes"],
    ["git *", ["git"], "no"],
    ["git *", ["git", "a b"], "yes"],
    ["pnpm run migrate:*", ["pnpm", "run", "migrate:deploy"], "yes"],
    ["git ** --force **", ["git", "push", "--force", "origin"], "yes"],
    ["git ** --force **", ["git", "push", "origin"], "no"],
    ["git", ["./git"], "no"],
    ["git", ["/usr/bin/git"], "no"],
    ["*/git", ["/usr/bin/git"], "yes"],
    ['echo "a b"', ["echo", "a b"], "yes"],
    ['echo "a b"', ["echo", "a", "b"], "no"],
    ["**", ["rm", "-rf", "/"], "yes"],
    ["", ["rm"], "no"],
    ["rm **", ["rm", "$files"], "yes"],
    ["rm *", ["rm", "$files"], "maybe"],
    ["rm a", ["rm", "$files"], "maybe"],
    ["rm a b", ["rm", "$one", "b"], "maybe"],
    ["git push **", ["git", "$what"], "maybe"],
    ["git push **", ["git", "pull", "$what"], "no"],
    ["rm *", ["rm", "*.ts"], "maybe"],
    ["rm **", ["rm", "*.ts"], "yes"]
  ]
  for (const [pattern, given, expected] of cases)
    it(`${JSON.stringify(pattern)} against ${given.join(" | ")}: ${expected}`, () =>
      assert.strictEqual(CommandPattern.match(CommandPattern.of(pattern), words(...given)), expected))
})
