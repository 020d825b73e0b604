import { assert, describe, it } from "@effect/vitest"
import type { SymbolDef } from "@signalbox/contracts/IdeOperation"
import * as Effect from "effect/Effect"
import { execFileSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { temporaryFolder } from "../../../system/test/support/TemporaryFolder.ts"
import * as Evaluator from "../../src/dialect/Evaluator.ts"
import * as SessionFolder from "../../src/files/SessionFolder.ts"
import { type Ide, IdeFailure } from "../../src/Ide.ts"
import * as Functions from "../../src/operations/Functions.ts"

const place = (path: string, line: number, column: number, length: number) => ({
  path,
  start: { line, column },
  end: { line, column: column + length }
})

const shop: SymbolDef = { name: "Shop", kind: "class", definedAt: place("src/shop.ts", 1, 14, 4) }
const twins: ReadonlyArray<SymbolDef> = [
  { name: "total", kind: "method", container: "Shop", definedAt: place("src/shop.ts", 2, 3, 5) },
  { name: "total", kind: "function", definedAt: place("src/main.ts", 1, 17, 5) }
]

/** An IDE that knows these symbols, and notes what it is asked. */
const start = Effect.gen(function* () {
  const cwd = temporaryFolder("project")
  mkdirSync(join(cwd, "src"))
  writeFileSync(join(cwd, "src/shop.ts"), "export class Shop {\r\n  total() {}\r\n}\r\n")
  writeFileSync(join(cwd, "src/main.ts"), "export function total() {}\nnew Shop()\nnew Shop()")
  const folder = yield* SessionFolder.open(cwd)
  const asked: Array<unknown> = []
  const ide: Ide = {
    resolveSymbol: (name) =>
      Effect.suspend(() => {
        asked.push(name)
        if (name === "Broken") return Effect.fail(new IdeFailure({ message: "gopls is not there. Install it." }))
        return Effect.succeed([shop, ...twins].filter((one) => one.name === name))
      }),
    references: (symbol) =>
      Effect.sync(() => {
        asked.push(symbol.definedAt.path)
        return [2, 3].map((line) => ({ ...symbol, referencedAt: place("src/main.ts", line, 5, 4) }))
      }),
    lsp: (method, params) =>
      Effect.sync(() => {
        asked.push({ method, ...params })
        return { contents: [{ language: "ts", value: "class Shop" }, "It sells."] }
      }),
    diagnostics: (uri) =>
      Effect.succeed([
        {
          severity: "error" as const,
          message: uri ?? "all",
          at: place("src/main.ts", 1, 1, 1),
          code: 2304,
          source: "ts"
        }
      ]),
    selection: Effect.undefined
  }
  const functions = Functions.make(ide, folder)
  return {
    asked,
    cwd,
    run: (program: string) => Effect.map(Evaluator.run(program, { functions }), (text) => JSON.parse(text)),
    refusal: (program: string) =>
      Effect.map(Effect.flip(Evaluator.run(program, { functions })), ({ message }) => message)
  }
})

describe("operations on symbols", () => {
  it.live("find definitions by name, with their lines", () =>
    Effect.gen(function* () {
      const { run } = yield* start
      assert.deepStrictEqual(yield* run('findDefinitions("Shop")'), [
        { name: "Shop", kind: "class", definedAt: { ...shop.definedAt, content: "export class Shop {" } }
      ])
      assert.lengthOf(yield* run('findDefinition(["Shop", ["total"]])'), 3)
      assert.lengthOf(yield* run('findDefinitions(["Shop", findDefinitions("Shop")])'), 1)
      assert.deepStrictEqual(yield* run('findDefinitions("Nothing")'), [])
    })
  )

  it.live("find references of what another call has found", () =>
    Effect.gen(function* () {
      const { asked, run } = yield* start
      const found = yield* run('findReferences(findDefinitions("Shop"))')
      assert.lengthOf(found, 2)
      const definedAt = { ...shop.definedAt, content: "export class Shop {" }
      assert.deepStrictEqual(found[1], {
        name: "Shop",
        kind: "class",
        definedAt,
        referencedAt: { ...place("src/main.ts", 3, 5, 4), content: "new Shop()" }
      })
      assert.deepStrictEqual(asked, ["Shop", "src/shop.ts"])
      // A reference is a symbol, too.
      assert.lengthOf(yield* run('findReferences(findReferences(findDefinitions("Shop")))'), 2)
    })
  )

  it.live("list what a name may mean, and take each of these in its place", () =>
    Effect.gen(function* () {
      const { refusal, run } = yield* start
      const message = yield* refusal('findReferences("total")')
      const [first, method = "", fun = ""] = message.split("\n")
      assert.strictEqual(
        first,
        'Line 1, column 1: findReferences: "total" has 2 definitions. Put one of these in its place, or findDefinitions("total") for all of them:'
      )
      assert.include(method, '"container":"Shop"')
      for (const [alternative, path] of [
        [method, "src/shop.ts"],
        [fun, "src/main.ts"]
      ])
        assert.strictEqual((yield* run(`findReferences(${alternative})`))[0].definedAt.path, path)
      assert.lengthOf(yield* run('findReferences(findDefinitions("total"))'), 2)
    })
  )

  it.live("say what a symbol is", () =>
    Effect.gen(function* () {
      const { asked, cwd, run } = yield* start
      const [{ info }] = yield* run('getSymbolInfo("Shop")')
      assert.strictEqual(info, "```ts\nclass Shop\n```\n\nIt sells.")
      assert.deepStrictEqual(asked.at(-1), {
        method: "textDocument/hover",
        textDocument: { uri: pathToFileURL(join(cwd, "src/shop.ts")).href },
        position: { line: 0, character: 13 }
      })
    })
  )

  it.live("refuse what is no symbol, in words that name the next step", () =>
    Effect.gen(function* () {
      const { refusal } = yield* start
      const expected = "Expected a name, a symbol that another call returned, or an array of these."
      assert.include(yield* refusal('findReferences("Nothing")'), 'Look for it with search(".", "Nothing").')
      assert.include(yield* refusal('findDefinitions("Broken")'), "findDefinitions: gopls is not there. Install it.")
      assert.include(yield* refusal("findDefinitions(7)"), `7 is no symbol. ${expected}`)
      assert.include(yield* refusal("findDefinitions([null])"), `null is no symbol. ${expected}`)
      assert.include(
        yield* refusal('findDefinitions({name: "X"})'),
        `{"name":"X"} is no symbol: it needs name and definedAt`
      )
      assert.include(yield* refusal("findDefinitions(' ')"), "a name has 1 to 500 characters")
      const many = JSON.stringify(Array.from({ length: 101 }, (_, index) => `x${index}`))
      assert.include(yield* refusal(`findDefinitions(${many})`), "at most 100 symbols are taken in one call")
    })
  )
})

describe("operations on files", () => {
  it.live("return lines with their ends as they are", () =>
    Effect.gen(function* () {
      const { refusal, run } = yield* start
      assert.deepStrictEqual(yield* run('lines("src/shop.ts", 1, 2)'), {
        path: "src/shop.ts",
        start: { line: 1, column: 1 },
        end: { line: 2, column: 13 },
        content: "export class Shop {\r\n  total() {}\r\n"
      })
      assert.strictEqual((yield* run('lines("src/main.ts", 3, 99)')).content, "new Shop()")
      assert.include(yield* refusal('lines("src/shop.ts", 4, 5)'), "src/shop.ts has 3 lines, and no line 4.")
      assert.include(yield* refusal('lines("src/shop.ts", 2, 1)'), "the last one is not before the first one")
      assert.include(yield* refusal('lines("src/shop.ts", 0, 1.5)'), "Lines are counted from 1")
      assert.include(yield* refusal('lines("../x", 1, 1)'), "outside of the session's folder")
      assert.include(yield* refusal('lines("src/shop.ts", "1", 1)'), 'start is a number, and not "1".')
    })
  )

  it.live("search, and find files", () =>
    Effect.gen(function* () {
      const { run } = yield* start
      assert.strictEqual((yield* run('search("src", "Shop", "ts")')).matches.length, 3)
      assert.strictEqual((yield* run('searchFiles("Shop", "src/main.ts")')).searchedFiles, 1)
      assert.deepStrictEqual((yield* run('findFiles("s*.ts")')).files, ["src/shop.ts"])
    })
  )

  it.live("show changes by their parts", () =>
    Effect.gen(function* () {
      const { cwd, refusal, run } = yield* start
      assert.include(yield* refusal('gitdiff("")'), "git: fatal: not a git repository")
      const git = (...args: ReadonlyArray<string>) =>
        execFileSync("git", ["-C", cwd, "-c", "user.name=A", "-c", "user.email=a@example.org", ...args])
      git("init", "--quiet")
      git("add", ".")
      git("commit", "--quiet", "--message", "One")
      writeFileSync(join(cwd, "src/main.ts"), "changed")
      const all = yield* run('gitdiff("HEAD")')
      assert.deepStrictEqual(Object.keys(all), ["committed", "staged", "unstaged"])
      assert.include(all.unstaged.text, "+changed")
      assert.deepStrictEqual(Object.keys(yield* run('gitdiff("", true, true)')), [])
      assert.deepStrictEqual(Object.keys(yield* run('gitdiff("HEAD..HEAD", true)')), ["committed", "staged"])
      assert.include(yield* refusal('gitdiff("", 1)'), "excludeUnstaged is true or false, and not 1.")
    })
  )
})

describe("operations on findings and the editor", () => {
  it.live("ask for a file, or for all", () =>
    Effect.gen(function* () {
      const { cwd, run } = yield* start
      const [found] = yield* run('diagnostics("src/main.ts")')
      assert.deepStrictEqual(found, {
        severity: "error",
        message: pathToFileURL(join(cwd, "src/main.ts")).href,
        code: 2304,
        source: "ts",
        at: place("src/main.ts", 1, 1, 1)
      })
      assert.strictEqual((yield* run("diagnostics()"))[0].message, "all")
      assert.isNull(yield* run("selection()"))
    })
  )
})
