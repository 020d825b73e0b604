/** What the page says of language servers and what they find. */
import { count } from "../../words/figures.ts"
import type { countsOf, Findings } from "./Knowledge.ts"
import type { Card } from "./Shown.ts"

export const severityWord = { error: "Error", warning: "Warning", information: "Note", hint: "Hint" } as const

/** Most characters that a screen reader hears of one place. */
const longestSpoken = 500

/** A place for a screen reader. */
export const spoken = ({ findings, parts }: Pick<Card, "findings" | "parts">): string =>
  [
    ...findings.map(({ diagnostic }) => `${severityWord[diagnostic.severity]}: ${diagnostic.message}`),
    ...parts.map(({ text }) => text.replaceAll(/^```\w*$/gm, "").trim())
  ]
    .join(". ")
    .slice(0, longestSpoken)

/** How many findings there are: `2 errors, 1 warning`. Hints are no faults, and are not counted. */
export const countWords = ({ error, information, more, warning }: ReturnType<typeof countsOf>): string =>
  [
    ...(error > 0 ? [count(error, "error")] : []),
    ...(warning > 0 ? [count(warning, "warning")] : []),
    ...(information > 0 ? [count(information, "note")] : []),
    ...(more > 0 ? [`${count(more, "finding")} more`] : [])
  ].join(", ")

/** Why there is no finding to go to. */
export const nothingFound = (findings: ReadonlyArray<Findings>): string =>
  findings.length === 0
    ? "No language server has looked at this text."
    : "Language servers find nothing wrong in this file."
