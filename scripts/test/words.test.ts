/** The rules of docs/WORDS.md that a machine can hold. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { docComments, filesOf, longSentences, proseOf, proseOfComment, root } from "./support/Prose.ts"

const read = (path: string): string => readFileSync(join(root, path), "utf8")

const documents = filesOf("{*.md,.github/**/*.md,{docs,packages,bench,scripts}/**/*.md}").filter(
  (file) => !file.endsWith("CHANGELOG.md")
)

const sources = filesOf("{apps,packages,scripts,bench,bin}/**/*.{ts,tsx,mjs,cjs}")
const comments = sources.flatMap((file) => docComments(read(file)).map((text) => ({ file, text })))

/** Verbs that fit only people: programs report, show or say. Text in backticks is left out, since code keeps its names. */
const ofPeople = /\b(?:told|tells?|telling)\b/gi

/** Words that have a plainer one in docs/WORDS.md, or say nothing. That page itself shows them. */
const avoided =
  /\b(?:anew|re-begin|oops|simply|obviously|artefacts?|deactivat\w+|log(?:ging)? in|told|tells|telling)\b/gi

/** The findings under the name of their file. Empty if there are none. */
const complaints = (file: string, found: ReadonlyArray<string>): ReadonlyArray<string> =>
  found.length === 0 ? [] : [`${file}: ${found.length}`, ...found]

describe("sentences of documents", () => {
  it("are there to be read", () => {
    assert.include(documents, "README.md")
    assert.isAbove(proseOf(read("README.md")).length, 2000)
    assert.lengthOf(longSentences(`One. ${"word ".repeat(21)}. Two.`), 1)
  })

  it("have at most 20 words", () => {
    const found = documents.flatMap((file) => complaints(file, longSentences(proseOf(read(file)))))
    assert.deepStrictEqual(found, [])
  })
})

describe("words of documents", () => {
  it("are plain", () => {
    const others = documents.filter((file) => file !== "docs/WORDS.md")
    assert.deepStrictEqual(
      others.flatMap((file) => complaints(file, proseOf(read(file)).match(avoided) ?? [])),
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

  it("say report, show or say of a program, and never tell", () => {
    const inLines = sources.flatMap((file) =>
      [...read(file).matchAll(/^\s*\/\/(.*)$/gm)].map(([, text = ""]) => ({ file, text }))
    )
    assert.isAbove(inLines.length, 500)
    const found = [...comments, ...inLines]
      .filter(({ text }) => proseOfComment(text).match(ofPeople))
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
