/** The rules of docs/WORDS.md that a machine can hold. A budget is what broke a rule when it was made: it only falls. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { docComments, filesOf, longSentences, proseOf, proseOfComment, root } from "./support/Prose.ts"

const read = (path: string): string => readFileSync(join(root, path), "utf8")

/** Long sentences of each document that still has some. Every other document has none. */
const longInDocuments: Readonly<Record<string, number>> = { "bench/README.md": 13 }

const documents = filesOf("{*.md,.github/**/*.md,{docs,packages,bench,scripts}/**/*.md}").filter(
  (file) => !file.endsWith("CHANGELOG.md")
)

const sources = filesOf("{apps,packages,scripts,bench,bin}/**/*.{ts,tsx,mjs,cjs}")
const comments = sources.flatMap((file) => docComments(read(file)).map((text) => ({ file, text })))

/** Words that have a plainer one in docs/WORDS.md, or say nothing. That page itself shows them. */
const avoided = /\b(?:anew|re-begin|oops|simply|obviously|artefacts?|deactivat\w+|log(?:ging)? in)\b/gi

/** What to do about a count that is not its budget; nothing where it is. */
const complaints = (what: string, found: ReadonlyArray<string>, budget: number): ReadonlyArray<string> => {
  if (found.length > budget) return [`${what}: ${found.length} where the budget is ${budget}`, ...found]
  return found.length < budget ? [`${what}: lower the budget of ${budget} to ${found.length}`] : []
}

describe("sentences of documents", () => {
  it("are there to be read", () => {
    assert.include(documents, "README.md")
    assert.isAbove(proseOf(read("README.md")).length, 2000)
    assert.lengthOf(longSentences(`One. ${"word ".repeat(21)}. Two.`), 1)
  })

  it("have at most 20 words", () => {
    const found = documents.flatMap((file) =>
      complaints(file, longSentences(proseOf(read(file))), longInDocuments[file] ?? 0)
    )
    assert.deepStrictEqual(found, [])
  })
})

describe("words of documents", () => {
  it("are plain", () => {
    const others = documents.filter((file) => file !== "docs/WORDS.md")
    assert.deepStrictEqual(
      others.flatMap((file) => complaints(file, proseOf(read(file)).match(avoided) ?? [], 0)),
      []
    )
  })
})

describe("doc comments", () => {
  it("are found", () => {
    assert.isAbove(sources.length, 500)
    assert.deepStrictEqual(docComments("/** One. */\n/**\n * Two,\n * and more.\n */\n// no"), [
      "One.",
      "Two,\nand more."
    ])
  })

  it("name their subject: none begins with As, Of, By, Where, For or The same", () => {
    const found = comments
      .filter(({ text }) => /^(?:As|Of|By|Where|For|The same)\b/.test(text))
      .map(({ file, text }) => `${file}: ${text.split("\n")[0]}`)
    assert.deepStrictEqual(found, [])
  })

  it("have at most 20 words a sentence", () => {
    const found = comments.flatMap(({ file, text }) =>
      longSentences(proseOfComment(text)).map((sentence) => `${file}: ${sentence}`)
    )
    assert.deepStrictEqual(found, [])
  })
})
