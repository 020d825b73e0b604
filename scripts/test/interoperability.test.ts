/** `docs/INTEROPERABILITY.md` names a test for each difference, and has a row for each test of one. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import * as NamedTests from "../checklists/NamedTests.ts"
import * as TestFiles from "../checklists/TestFiles.ts"

const root = join(import.meta.dirname, "../..")
const document = readFileSync(join(root, "docs/INTEROPERABILITY.md"), "utf8")
const tests = TestFiles.read(root)

/** The cells of each row below the heading of the differences, without titles of groups. */
const rows = document
  .slice(document.indexOf("## What differs"))
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| **") && !line.startsWith("| What |"))
  .map((line) => line.slice(2, -2).split(" | "))

describe("docs/INTEROPERABILITY.md", () => {
  it("names tests that are there for each difference", () => {
    assert.isNotEmpty(rows)
    for (const [what = "", ...cells] of rows) {
      assert.lengthOf(cells, 4, what)
      const named = NamedTests.read(cells[3] ?? "")
      assert.isNotEmpty(named, what)
      assert.deepStrictEqual(NamedTests.findings(what, named, tests), [])
    }
  })

  it("has a row for each test of a difference", () => {
    const titles = [...(tests.get("interop/differences") ?? "").matchAll(/\bit\("([^"]+)"/g)].map(
      ([, title = ""]) => title
    )
    const named = NamedTests.read(document).filter(({ file }) => file === "interop/differences")
    assert.isNotEmpty(titles)
    for (const title of titles)
      assert.isTrue(
        named.some((test) => title.startsWith(test.title)),
        title
      )
  })

  it("lists each crate in the version that is built", () => {
    const crates = [...(tests.get("interop/Crates") ?? "").matchAll(/\bname: "([^"]+)", version: "([^"]+)"/g)]
    assert.isNotEmpty(crates)
    for (const [, name, version] of crates) assert.include(document, `\`${name}\` ${version}`)
  })
})
