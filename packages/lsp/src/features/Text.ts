/** Texts of servers, which are Markdown or plain, in one of several shapes. */
import * as Predicate from "effect/Predicate"

export interface Text {
  readonly kind: "markdown" | "plaintext"
  readonly value: string
}

/** Most characters that are kept. */
const longest = 64 * 1024

const cut = (value: string): string => (value.length > longest ? `${value.slice(0, longest)}…` : value)

/** A fence that is longer than any run of backticks in the code. */
const fenceFor = (code: string): string => {
  let longestRun = 2
  let run = 0
  for (const character of code) {
    run = character === "`" ? run + 1 : 0
    longestRun = Math.max(longestRun, run)
  }
  return "`".repeat(longestRun + 1)
}

/** Reads `string`, `MarkedString`, `MarkupContent` and lists of these. Undefined for anything else. */
export const of = (contents: unknown): Text | undefined => {
  if (typeof contents === "string") return { kind: "markdown", value: cut(contents) }
  if (Array.isArray(contents)) {
    const parts: ReadonlyArray<unknown> = contents
    const texts = parts.flatMap((part) => of(part) ?? [])
    if (texts.length < parts.length) return undefined
    return { kind: "markdown", value: cut(texts.flatMap(({ value }) => value || []).join("\n\n")) }
  }
  if (!Predicate.isObject(contents)) return undefined
  const { kind, language, value } = contents
  if (typeof value !== "string") return undefined
  if (typeof language === "string") {
    const code = cut(value)
    const fence = fenceFor(code)
    return { kind: "markdown", value: `${fence}${language}\n${code}\n${fence}` }
  }
  return { kind: kind === "plaintext" ? "plaintext" : "markdown", value: cut(value) }
}
