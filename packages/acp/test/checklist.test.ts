/** The table in the README says which statements of the protocol hold, and which test shows it: names of tests are held against it. */
import { readdirSync, readFileSync } from "node:fs"
import { basename } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

/** Where tests are whose names carry numbers. */
const folders = [
  "../test",
  "../../contracts/test",
  "../../stand-in-agents/test",
  "../../../apps/server/test",
  "../../../apps/web/test"
]

/** The numbers that names of tests in a file begin with: `"[12][13] reading goes on"`. */
const numbersIn = (file: string): ReadonlySet<number> =>
  new Set(
    [...readFileSync(file, "utf8").matchAll(/["'`]((?:\[\d+\])+) /g)].flatMap(([, numbers = ""]) =>
      [...numbers.matchAll(/\d+/g)].map(([number]) => Number(number))
    )
  )

/** By the name that the table has: without folder and endings. */
const numbersOf = new Map(
  folders.flatMap((folder) =>
    readdirSync(path(folder), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => [basename(file).replace(/(?:\.test)?\.tsx?$/, ""), numbersIn(path(`${folder}/${file}`))] as const)
  )
)

const rows = [...readFileSync(path("../README.md"), "utf8").matchAll(/^\| (\d+) \| ([^|]+) \| ([^|]+) \|$/gm)].map(
  ([, number, , where = ""]) => ({
    number: Number(number),
    where,
    files: [...where.matchAll(/`([\w-]+)`/g)].map(([, file = ""]) => file)
  })
)

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)

describe("the checklist in the README", () => {
  it("has every statement once, in order", () => {
    assert.deepStrictEqual(
      rows.map(({ number }) => number),
      [...range(1, 113), ...range(123, 128)]
    )
  })

  it("names for each the tests that show it, or says that it does not hold yet", () => {
    for (const { files, number, where } of rows) {
      assert.isTrue(files.length > 0 || where.includes("not yet"), `${number}: ${where}`)
      for (const file of files) assert.isTrue(numbersOf.get(file)?.has(number), `[${number}] is in no test of ${file}`)
    }
  })

  it("leaves out no test of this package that carries a number", () => {
    const own = readdirSync(path(".")).flatMap((file) => (file.endsWith(".ts") ? [file] : []))
    for (const file of own) {
      const name = file.replace(/(?:\.test)?\.ts$/, "")
      for (const number of numbersOf.get(name) ?? []) {
        assert.include(rows.find((row) => row.number === number)?.files ?? [], name, `[${number}] of ${file}`)
      }
    }
  })
})
