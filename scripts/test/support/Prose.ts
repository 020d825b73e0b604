/** The prose of documents and doc comments: what the rules of docs/WORDS.md are held against. */
import { globSync } from "node:fs"
import { join } from "node:path"

export const root = join(import.meta.dirname, "../../..")

const skipped: ReadonlySet<string> = new Set(["node_modules", "dist", "generated", ".tmp", ".git", ".turbo"])

/** Paths of the repository that match, relative to its root. Generated, built and installed files are left out. */
export const filesOf = (pattern: string): ReadonlyArray<string> =>
  globSync(pattern, { cwd: root, exclude: (path) => path.split(/[\\/]/).some((name) => skipped.has(name)) })
    .map((path) => path.replaceAll("\\", "/"))
    .toSorted()

/** A text in which a piece of code, or a title in quotes, is one word. */
const withoutCode = (text: string): string => text.replaceAll(/`[^`\n]*`|“[^”]*”/g, "x")

/** A Markdown document without code, tables, headings and the addresses of its links. Each list item is a paragraph. */
export const proseOf = (markdown: string): string =>
  withoutCode(
    markdown
      .replaceAll(/^(```|~~~)[\s\S]*?^\1.*$/gm, "")
      .replaceAll(/<!--[\s\S]*?-->/g, "")
      .replaceAll(/^\s*\|.*$|^#.*$/gm, "")
      .replaceAll(/^\s*(?:[-*]|\d+\.)\s+/gm, "\n\n")
  ).replaceAll(/\]\([^)]*\)/g, "]")

const wordsIn = (sentence: string): number => sentence.split(/\s+/).filter((word) => /\w/.test(word)).length

/** The sentences of more than 20 words. A colon and a semicolon end a sentence, too. */
export const longSentences = (prose: string): ReadonlyArray<string> =>
  prose
    .split(/(?<=[.:;?!])(?:\*\*)?\s+|\n\s*\n+/)
    .map((sentence) => sentence.replaceAll(/\s+/g, " ").trim())
    .filter((sentence) => wordsIn(sentence) > 20)

/** The texts of the doc comments of a source, without their stars. */
export const docComments = (source: string): ReadonlyArray<string> =>
  [...source.matchAll(/\/\*\*([\s\S]*?)\*\//g)].map(([, text = ""]) => text.replaceAll(/^\s*\* ?/gm, "").trim())

/** The prose of a doc comment: its examples are left out, and each item of a list and each tag is a paragraph. */
export const proseOfComment = (text: string): string =>
  proseOf(
    text
      .replaceAll(/^ {4}.*$/gm, "")
      .replaceAll(" · ", "\n\n")
      .replaceAll(/^@/gm, "\n\n@")
  )
