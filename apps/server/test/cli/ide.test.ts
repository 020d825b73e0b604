/** `signalbox ide`: programs of Dialect in a folder, with a real language server and without one. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { mkdirSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { call, temporaryFolder } from "./support/Signalbox.ts"

const pyright = join(dirname(createRequire(import.meta.url).resolve("pyright/package.json")), "langserver.index.js")
const server = `python=${process.execPath} ${pyright} --stdio`

const project = () => {
  const folder = temporaryFolder("project")
  mkdirSync(join(folder, "pkg"))
  writeFileSync(join(folder, "pkg/shop.py"), "class Shop:\n    def total(self) -> int:\n        return 1\n")
  writeFileSync(join(folder, "main.py"), "from pkg.shop import Shop\n\nprint(Shop().total())\n")
  return folder
}

const ide = (folder: string, program: string, ...more: ReadonlyArray<string>) =>
  call(["ide", program, "--cwd", folder, "--state-dir", join(folder, ".state"), ...more])

describe("signalbox ide", () => {
  it.live("runs a program of several questions, and leaves nothing running", () =>
    Effect.gen(function* () {
      const folder = project()
      const program = '[findDefinitions("total"), findReferences(findDefinitions("Shop"))]'
      const { code, stderr, stdout } = yield* ide(folder, program, "--server", server, "--timeout", "600")
      assert.deepStrictEqual([code, stderr], [0, ""])
      const [[total], references] = JSON.parse(stdout)
      assert.deepStrictEqual([total.kind, total.container, total.definedAt.path], ["method", "Shop", "pkg/shop.py"])
      const places: ReadonlyArray<string> = references.map(
        ({
          referencedAt: { path, start }
        }: {
          referencedAt: { path: string; start: { line: number; column: number } }
        }) => `${path}:${start.line}:${start.column}`
      )
      assert.deepStrictEqual(places.toSorted(), ["main.py:1:22", "main.py:3:7", "pkg/shop.py:1:7"])
    })
  )

  it.live("says what is wrong with a program, and shows the place", () =>
    Effect.gen(function* () {
      const folder = project()
      const { code, stderr, stdout } = yield* ide(folder, "findReferences(Shop)")
      assert.deepStrictEqual([code, stdout], [2, ""])
      assert.strictEqual(
        stderr,
        'signalbox ide: Line 1, column 16: a bare word is no value. Expected "Shop" for a text, or Shop(…) for a call.\n  findReferences(Shop)\n                 ^\n'
      )
    })
  )

  it.live("fails where a question has no answer, and names the next step", () =>
    Effect.gen(function* () {
      const folder = project()
      const missing = yield* ide(folder, 'lines("no.py", 1, 2)')
      assert.deepStrictEqual([missing.code, missing.stdout], [1, ""])
      assert.include(missing.stderr, "lines: no.py does not exist.")
      const outside = yield* ide(folder, 'search("..", "x")')
      assert.include(outside.stderr, "is outside of the session's folder")
      const wrong = yield* ide(folder, "1", "--server", "pyright")
      assert.strictEqual(wrong.code, 2)
      assert.include(wrong.stderr, 'does not begin with a language and "="')
      assert.strictEqual((yield* ide(folder, "1", "--timeout", "0")).code, 2)
    })
  )
})
