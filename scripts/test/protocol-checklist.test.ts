/** `docs/PROTOCOL-CHECKLIST.md` says which statements of the protocol hold, and which tests show each: their names are held against it. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import * as TestFiles from "../checklists/TestFiles.ts"

const root = join(import.meta.dirname, "../..")

/** The numbers that names of tests in a file begin with: `"[12][13] reading goes on"`. */
const numbersIn = (text: string): ReadonlySet<number> =>
  new Set(
    [...text.matchAll(/["'`]((?:\[\d+\])+) /g)].flatMap(([, numbers = ""]) =>
      [...numbers.matchAll(/\d+/g)].map(([number]) => Number(number))
    )
  )

/** The numbers of each file of tests, by its name in the table: `server/provider/acp/wire`. */
const numbersOf = new Map([...TestFiles.read(root)].map(([file, text]) => [file, numbersIn(text)] as const))

const document = readFileSync(join(root, "docs/PROTOCOL-CHECKLIST.md"), "utf8")
const rows = [...document.matchAll(/^\| (\d+) \| ([^|]+) \| ([^|]+) \|$/gm)].map(([, number, , where = ""]) => ({
  number: Number(number),
  where,
  files: [...where.matchAll(/`([\w-]+(?:\/[\w-]+)+)`/g)].map(([, file = ""]) => file)
}))

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)

describe("the protocol checklist", () => {
  it("has every statement once, in order", () => {
    assert.deepStrictEqual(
      rows.map(({ number }) => number),
      range(1, 128)
    )
  })

  it("names for each the tests that show it, or says that it does not hold yet", () => {
    for (const { files, number, where } of rows) {
      assert.isTrue(files.length > 0 || where.includes("not yet"), `${number}: ${where}`)
      for (const file of files) assert.isTrue(numbersOf.get(file)?.has(number), `[${number}] is in no test of ${file}`)
    }
  })

  it("leaves out no test that carries a number", () => {
    for (const [file, numbers] of numbersOf)
      for (const number of numbers)
        assert.include(rows.find((row) => row.number === number)?.files ?? [], file, `[${number}] of ${file}`)
  })
})
