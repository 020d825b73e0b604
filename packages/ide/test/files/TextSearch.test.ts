import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { execFileSync } from "node:child_process"
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { temporaryFolder } from "../../../system/test/support/TemporaryFolder.ts"
import * as SessionFolder from "../../src/files/SessionFolder.ts"
import * as TextSearch from "../../src/files/TextSearch.ts"

const project = (files: Readonly<Record<string, string>>) => {
  const cwd = temporaryFolder("project")
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true })
    writeFileSync(join(cwd, path), text)
  }
  execFileSync("git", ["init", "--quiet", cwd])
  return cwd
}

const search = (cwd: string, pattern: string, where: TextSearch.Where = {}, deadline?: "50 millis") =>
  Effect.flatMap(SessionFolder.open(cwd), (folder) => TextSearch.search(folder, pattern, where, deadline))

const refusal = <A>(effect: Effect.Effect<A, SessionFolder.FolderRefused>) =>
  Effect.map(Effect.flip(effect), ({ message }) => message)

describe("a search", () => {
  it.live("finds one match a line, with its place and the line's text", () =>
    Effect.gen(function* () {
      const cwd = project({ "a.ts": "const x = 1\r\n🚦 x x\n\n  end x", "b.py": "x" })
      const found = yield* search(cwd, "x\\b", { extension: "ts" })
      assert.deepStrictEqual(found, {
        matches: [
          { path: "a.ts", start: { line: 1, column: 7 }, end: { line: 1, column: 8 }, content: "const x = 1" },
          { path: "a.ts", start: { line: 2, column: 4 }, end: { line: 2, column: 5 }, content: "🚦 x x" },
          { path: "a.ts", start: { line: 4, column: 7 }, end: { line: 4, column: 8 }, content: "  end x" }
        ],
        searchedFiles: 1,
        isCut: false
      })
      assert.strictEqual((yield* search(cwd, "x", { extension: ".py" })).searchedFiles, 1)
      assert.strictEqual((yield* search(cwd, "x")).matches.length, 4)
    })
  )

  it.live("knows lines: an anchor means a line's, and a match over several ends where it ends", () =>
    Effect.gen(function* () {
      const cwd = project({ "a.txt": "one\ntwo\nthree\nfour\n" })
      const places = ({ matches }: TextSearch.Found) => matches.map(({ end, start }) => [start, end])
      assert.deepStrictEqual(places(yield* search(cwd, "^t")), [
        [
          { line: 2, column: 1 },
          { line: 2, column: 2 }
        ],
        [
          { line: 3, column: 1 },
          { line: 3, column: 2 }
        ]
      ])
      assert.deepStrictEqual(places(yield* search(cwd, "two\\sthree\\s|four")), [
        [
          { line: 2, column: 1 },
          { line: 4, column: 1 }
        ],
        [
          { line: 4, column: 1 },
          { line: 4, column: 5 }
        ]
      ])
      // An expression that matches nothing of a line matches each line once, and ends.
      assert.lengthOf((yield* search(cwd, "x*")).matches, 5)
    })
  )

  it.live("keeps to .gitignore, to text, to regular files and to the session's folder", () =>
    Effect.gen(function* () {
      const elsewhere = project({ "secret.ts": "needle" })
      const cwd = project({
        ".gitignore": "ignored\n",
        "kept/a.ts": "needle",
        "ignored/b.ts": "needle",
        ".ssh/id_rsa": "needle",
        "binary.ts": "needle\0",
        "long.ts": `needle${" ".repeat(2 * 1024 * 1024)}`
      })
      symlinkSync(join(elsewhere, "secret.ts"), join(cwd, "link.ts"))
      symlinkSync(elsewhere, join(cwd, "folder"))
      execFileSync("mkfifo", [join(cwd, "pipe.ts")])
      // What git knows as a folder may be a link by now.
      execFileSync("git", ["-C", cwd, "add", "kept"])
      const found = yield* search(cwd, "needle")
      assert.deepStrictEqual(
        found.matches.map(({ path }) => path),
        ["kept/a.ts"]
      )
      assert.deepStrictEqual(found.notSearched, ["long.ts"])
      execFileSync("rm", ["-r", join(cwd, "kept")])
      symlinkSync(elsewhere, join(cwd, "kept"))
      writeFileSync(join(elsewhere, "a.ts"), "needle")
      assert.deepStrictEqual((yield* search(cwd, "needle")).matches, [])
      // What a person or a program names is searched, also if git ignores it.
      assert.lengthOf((yield* search(cwd, "needle", { path: "ignored/b.ts" })).matches, 1)
      for (const path of ["folder", "link.ts", "..", elsewhere])
        assert.include(yield* refusal(search(cwd, "needle", { path })), "is outside of the session's folder")
    })
  )

  it.live("that runs forever is stopped, and says what to do", () =>
    Effect.gen(function* () {
      const cwd = project({ "a.txt": `${"a".repeat(50_000)}!` })
      assert.strictEqual(
        yield* refusal(search(cwd, "(a+)+$", {}, "50 millis")),
        "The search of one file was stopped, since it ran too long. Name a folder within, or make the expression simpler."
      )
    })
  )

  it.live("is bounded in its matches and in the length of a line", () =>
    Effect.gen(function* () {
      const cwd = project({
        "a.txt": "x\n".repeat(TextSearch.mostMatches),
        "b.txt": `${"-".repeat(5000)}needle${"-".repeat(5000)}`
      })
      const all = yield* search(cwd, "^x$")
      assert.deepStrictEqual([all.matches.length, all.isCut], [TextSearch.mostMatches, false])
      writeFileSync(join(cwd, "c.txt"), "x")
      const more = yield* search(cwd, "^x$")
      assert.deepStrictEqual([more.matches.length, more.isCut], [TextSearch.mostMatches, true])
      const [match] = (yield* search(cwd, "needle")).matches
      assert.strictEqual(match?.content?.length, 400)
      assert.include(match?.content, "needle")
    })
  )

  it.live("takes no expression that is none", () =>
    Effect.gen(function* () {
      const cwd = project({})
      assert.match(yield* refusal(search(cwd, "(")), /^\( is no regular expression: Invalid regular expression/)
      assert.include(yield* refusal(search(cwd, "")), "has 1 to 1000 characters")
      assert.include(yield* refusal(search(cwd, "x".repeat(1001))), "has 1 to 1000 characters")
      assert.lengthOf((yield* search(project({ "a.md": "a-b" }), "a\\-b")).matches, 1, "also without the flag u")
    })
  )
})

describe("files by their names", () => {
  it.live("are found by a pattern of the last name, or of the whole path", () =>
    Effect.gen(function* () {
      const cwd = project({
        "a.ts": "",
        "src/a.ts": "",
        "src/deep/b.test.ts": "",
        "src/[x].ts": "",
        ".gitignore": "out\n",
        "out/a.ts": ""
      })
      const folder = yield* SessionFolder.open(cwd)
      const found = (pattern: string, path?: string) =>
        Effect.map(TextSearch.findFiles(folder, pattern, path), ({ files }) => [...files].toSorted())
      assert.deepStrictEqual(yield* found("a.ts"), ["a.ts", "src/a.ts"])
      assert.deepStrictEqual(yield* found("*.test.ts"), ["src/deep/b.test.ts"])
      assert.deepStrictEqual(yield* found("src/*.ts"), ["src/[x].ts", "src/a.ts"])
      assert.deepStrictEqual(yield* found("src/**/*.ts"), ["src/[x].ts", "src/a.ts", "src/deep/b.test.ts"])
      assert.deepStrictEqual(yield* found("*.ts", "src/deep"), ["src/deep/b.test.ts"])
      assert.deepStrictEqual(yield* found("[x].ts"), ["src/[x].ts"])
      assert.include(yield* refusal(TextSearch.findFiles(folder, "*", "..")), "is outside of the session's folder")
    })
  )
})

describe("a place that is no folder", () => {
  it.live("is refused in words", () =>
    Effect.gen(function* () {
      const cwd = project({ "a.ts": "x" })
      execFileSync("mkfifo", [join(cwd, "pipe")])
      const folder = yield* SessionFolder.open(cwd)
      assert.strictEqual(
        yield* refusal(TextSearch.findFiles(folder, "*", "a.ts")),
        "a.ts is no folder. Name one to find files in it."
      )
      assert.strictEqual(
        yield* refusal(TextSearch.search(folder, "x", { path: "pipe" })),
        "pipe is no folder and no regular file."
      )
    })
  )
})
