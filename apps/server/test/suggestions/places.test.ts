/** The places of suggestions, as a page shows them before anybody accepts: in open texts, on the disk, in folders. */
import { assert, describe, it } from "@effect/vitest"
import type { Suggestion } from "@signalbox/acp/NesSchema"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { execFileSync } from "node:child_process"
import { mkdirSync, realpathSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "../../../../packages/system/test/support/TemporaryFolder.ts"
import * as Sendable from "../../src/editing/Sendable.ts"
import * as SuggestionDesk from "../../src/editing/SuggestionDesk.ts"
import * as PagePaths from "../../src/suggestions/PagePaths.ts"
import * as SuggestedPlaceList from "../../src/suggestions/SuggestedPlaceList.ts"
import * as FakeSource from "../editing/FakeSource.ts"

const at = (line: number, character: number) => ({ line, character })
const range = (line: number, from: number, to: number) => ({ start: at(line, from), end: at(line, to) })

/** A desk over a repository. `files`: what decides about its files instead. */
const setUpWith = Effect.fnUntraced(function* (files: (real: Sendable.Sendable) => Sendable.Sendable) {
  const root = realpathSync(temporaryFolder("workspace"))
  execFileSync("git", ["init", "-q"], { cwd: root })
  const write = (name: string, text: string) => {
    mkdirSync(join(root, name, ".."), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  const desk = yield* SuggestionDesk.make({
    roots: [root],
    sendable: files(Sendable.make({ roots: [root], own: [], neverSend: Effect.succeed([]) })),
    start: FakeSource.make().start,
    tally: { ended: () => {}, refused: () => {}, answered: () => {}, unanswered: () => {} },
    debounceMs: 0,
    idle: "5 minutes"
  })
  const uri = (name: string) => Sendable.uriOf(join(root, name))
  const open = (name: string, text: string) => desk.open({ uri: uri(name), languageId: "typescript", version: 3, text })
  const of = (suggestion: Suggestion) => SuggestedPlaceList.of(suggestion, desk, PagePaths.make(root))
  return { of, open, uri, write }
})
const setUp = setUpWith((real) => real)

describe("the places of a suggestion", () => {
  it.effect("of a rename are the same word in its file, with the lines around, and say on what they are based", () =>
    Effect.gen(function* () {
      const { of, open, uri, write } = yield* setUp
      write("src/a.ts", "on the disk\n")
      yield* open("src/a.ts", "one\ntwo\nlet sum = 1\nsummary\n sum\r\nlast")
      const { basis, cut, files } = yield* of({
        kind: "rename",
        id: "1",
        uri: uri("src/a.ts"),
        position: at(2, 5),
        newName: "total"
      })
      assert.isUndefined(cut)
      assert.match(basis, /No language server is asked\.$/)
      assert.deepStrictEqual(files, [
        {
          path: "src/a.ts",
          isOpen: true,
          version: 3,
          places: [
            {
              range: range(2, 4, 7),
              newText: "total",
              line: "let sum = 1",
              before: ["one", "two"],
              after: ["summary", " sum"]
            },
            {
              range: range(4, 1, 4),
              newText: "total",
              line: " sum",
              before: ["let sum = 1", "summary"],
              after: ["last"]
            }
          ]
        }
      ])
    })
  )

  it.effect("of a search in a folder are in open texts and on the disk, and in no file that is left alone", () =>
    Effect.gen(function* () {
      const { of, open, uri, write } = yield* setUp
      write(".gitignore", "ignored.ts\n")
      for (const name of ["src/b.ts", "src/ignored.ts", "src/.env", "other.ts"]) write(name, "old()\n")
      write("src/a.ts", "old() on the disk\n")
      yield* open("src/a.ts", "x\nold() open\n")
      yield* open("src/new.ts", "old(1)\n")
      const search = { kind: "searchAndReplace", id: "1", uri: uri("src"), replace: "fresh($1)" } as const
      for (const [pattern, isRegex] of [
        ["old(", false],
        ["old\\((.?)\\)", true]
      ] as const) {
        const { cut, files } = yield* of({ ...search, search: pattern, isRegex })
        assert.isUndefined(cut)
        assert.deepStrictEqual(
          files.map(({ isOpen, path, places }) => [path, isOpen, ...places.map(({ line }) => line)]),
          [
            ["src/a.ts", true, "old() open"],
            ["src/new.ts", true, "old(1)"],
            ["src/b.ts", false, "old()"]
          ]
        )
        assert.strictEqual(files[1]?.places[0]?.newText, isRegex ? "fresh(1)" : "fresh($1)")
      }
    })
  )

  it.effect("are bounded, and say so", () =>
    Effect.gen(function* () {
      const { of, open, uri, write } = yield* setUp
      for (let index = 0; index < 210; index++) write(`many/${index}.ts`, "old\n")
      const search = { kind: "searchAndReplace", id: "1", search: "old", replace: "new" } as const
      const many = yield* of({ ...search, uri: uri("many") })
      assert.lengthOf(many.files, 200)
      assert.strictEqual(many.cut, "Only the first 200 files and 2000 places are listed.")
      yield* open("long.ts", "old ".repeat(3000))
      const long = yield* of({ ...search, uri: uri("long.ts") })
      assert.lengthOf(long.files[0]?.places ?? [], 2000)
      assert.isAtMost(long.files[0]?.places[0]?.line.length ?? 0, 400)
      assert.strictEqual(long.cut, "Only the first 2000 places are listed.")
    })
  )

  it.effect("of a search in a folder are all found, however long Git has taken before", () =>
    Effect.gen(function* () {
      const { of, uri, write } = yield* setUpWith((real) => ({
        ...real,
        ofAll: (uris) => Effect.tap(real.ofAll(uris), () => TestClock.adjust("10 seconds"))
      }))
      for (const name of ["a", "b", "c"]) write(`src/${name}.ts`, "old\n")
      const { cut, files } = yield* of({
        kind: "searchAndReplace",
        id: "1",
        uri: uri("src"),
        search: "old",
        replace: "new"
      })
      assert.deepStrictEqual([cut, files.map(({ path }) => path)], [undefined, ["src/a.ts", "src/b.ts", "src/c.ts"]])
    })
  )

  it.effect("of a search in a folder leave no file out without a word", () =>
    Effect.gen(function* () {
      const { of, uri, write } = yield* setUp
      write("src/a.ts", "old\n")
      for (const name of ["1", "2", "3", "4", "5"]) write(`src/${name}.bin`, "old\u0000")
      const { cut, files } = yield* of({
        kind: "searchAndReplace",
        id: "1",
        uri: uri("src"),
        search: "old",
        replace: "new"
      })
      assert.deepStrictEqual(
        files.map(({ path }) => path),
        ["src/a.ts"]
      )
      assert.match(
        cut ?? "",
        /^(?:src\/\d\.bin can’t be read, or is longer than 2 MiB\. ){3}2 more files were not searched\.$/
      )
    })
  )

  it.effect("of an edit or a place to go to are what the agent named; a file that may not be read has none", () =>
    Effect.gen(function* () {
      const { of, uri, write } = yield* setUp
      write("b.ts", "first\nsecond\n")
      const edits = [{ range: range(1, 0, 6), newText: "2nd" }] as const
      const edit = yield* of({ kind: "edit", id: "1", uri: uri("b.ts"), edits })
      assert.deepStrictEqual(edit.files, [
        { path: "b.ts", isOpen: false, places: [{ ...edits[0], line: "second", before: ["first"], after: [""] }] }
      ])
      const jump = yield* of({ kind: "jump", id: "2", uri: uri("b.ts"), position: at(0, 3) })
      assert.deepInclude(jump.files[0]?.places[0], { range: range(0, 3, 3), newText: "", line: "first" })
      write(".env", "KEY=1\n")
      const secret = yield* of({ kind: "jump", id: "3", uri: uri(".env"), position: at(0, 0) })
      assert.deepStrictEqual(secret.files, [])
      assert.match(secret.cut ?? "", /^\.env is left alone\. It is on the list/)
    })
  )
})
