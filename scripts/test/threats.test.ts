/** `docs/THREATS.md` names the test that shows each defence: names of files and titles are held against the tests that there are. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"

const root = join(import.meta.dirname, "../..")
const document = readFileSync(join(root, "docs/THREATS.md"), "utf8")

/** The classes of attack that a local server for agents has to withstand. */
const classes = 28

interface Named {
  readonly file: string
  readonly title: string
}

/** `### 7. Links`, and what stands below it. */
const sections = [...document.matchAll(/^### (\d+)\. (.+)\n([\s\S]*?)(?=^##|(?![\s\S]))/gm)].map(
  ([, number, name = "", body = ""]) => ({
    number: Number(number),
    name,
    body,
    parts: [...body.matchAll(/^\*\*(Attack|Defence|Limit|Proof)\.\*\*/gm)].map(([, part]) => part),
    // A test is a list item: its file, and its title as it stands there.
    tests: [...body.matchAll(/^- `([^`]+)`: “([^”]+)”$/gm)].map(([, file = "", title = ""]): Named => ({
      file,
      title
    })),
    items: [...body.matchAll(/^- /gm)].length
  })
)

/** Whether a file has a test of this title. Titles stand in quotes; a test in a loop ends its title with a variable. */
const has = ({ file, title }: Named): boolean => {
  const path = join(root, file)
  if (!existsSync(path)) return false
  const text = readFileSync(path, "utf8")
  return ['"', "'", "`"].some((quote) => text.includes(`${quote}${title}${quote}`))
}

describe("docs/THREATS.md", () => {
  it("has a section for every class of attack, in order, each with its four parts", () => {
    assert.deepStrictEqual(
      sections.map(({ number }) => number),
      Array.from({ length: classes }, (_, index) => index + 1)
    )
    for (const { name, parts } of sections) assert.deepStrictEqual(parts, ["Attack", "Defence", "Limit", "Proof"], name)
  })

  it("names for each at least one test, and each of them exists", () => {
    for (const { items, name, tests } of sections) {
      assert.isNotEmpty(tests, name)
      assert.lengthOf(tests, items, `${name}: an item is not of the form "- \`file\`: “title”"`)
      for (const test of tests) assert.isTrue(has(test), `${name}: no “${test.title}” in ${test.file}`)
    }
  })

  it("is linked from the README and from the architecture", () => {
    for (const file of ["README.md", "ARCHITECTURE.md"])
      assert.include(readFileSync(join(root, file), "utf8"), "(docs/THREATS.md)", file)
  })
})
