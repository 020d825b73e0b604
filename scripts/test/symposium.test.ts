/** `docs/symposium.md` has each requirement once, and names tests that are there. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import * as Symposium from "../checklists/Symposium.ts"
import * as TestFiles from "../checklists/TestFiles.ts"

const root = join(import.meta.dirname, "../..")

const tests = new Map([["acp/One", 'it("[1][2] shows one", …); it.live("shows another", …)']])

/** A document in which every row is in order, but for these. */
const document = (changed: { readonly [number: number]: string | undefined } = {}): string =>
  Array.from({ length: 238 }, (_, i) => i + 1)
    .flatMap((number) => (number in changed ? (changed[number] ?? []) : `| S-${number} | what | later: the rest |`))
    .join("\n")

const of = (row: string | undefined) => Symposium.findings(document({ 7: row }), tests)

describe("docs/symposium.md", () => {
  it("has every row, and names tests that are there", () => {
    assert.deepStrictEqual(
      Symposium.findings(readFileSync(join(root, "docs/symposium.md"), "utf8"), TestFiles.read(root)),
      []
    )
  })
})

describe("The check of docs/symposium.md", () => {
  it("takes tests by the beginning of their titles, what comes later, and reasons", () => {
    for (const shown of [
      '`acp/One`: "shows one"',
      '`acp/One`: "shows another"; later: more',
      "later: all of it",
      "no: it is advice"
    ])
      assert.deepStrictEqual(of(`| S-7 | what | ${shown} |`), [], shown)
  })

  it("finds a row that is missing, twice there, or too many", () => {
    assert.deepStrictEqual(of(undefined), ["S-7 has no row."])
    assert.deepStrictEqual(of("| S-6 | what | later: x |\n| S-7 | what | later: x |"), ["S-6 has 2 rows."])
    assert.deepStrictEqual(of("| S-239 | what | later: x |\n| S-7 | what | later: x |"), [
      "There is no requirement S-239."
    ])
  })

  it("finds a test that is not there, and a row that says nothing", () => {
    assert.deepStrictEqual(of('| S-7 | what | `acp/One`: "shows a third" |'), [
      'S-7: acp/One has no test "shows a third".'
    ])
    assert.deepStrictEqual(of('| S-7 | what | `acp/One`: "one" |'), ['S-7: acp/One has no test "one".'])
    assert.deepStrictEqual(of('| S-7 | what | `acp/Two`: "shows one" |'), [
      "S-7 names the file acp/Two, which is not there."
    ])
    assert.deepStrictEqual(of("| S-7 | what | done |"), ['S-7 names no test, and does not say "later: …" or "no: …".'])
  })
})
