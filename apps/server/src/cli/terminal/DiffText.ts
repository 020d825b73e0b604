/** The rows of a diff as lines of a terminal. */
import type { Row } from "@signalbox/contracts/DiffModel"
import { countText } from "./Amount.ts"
import type { Styled } from "./Ink.ts"

type SameRow = Extract<Row, { readonly type: "same" }>

/** A row as a line of text. `code` makes a line of the file safe to show. */
export const rowLine = (row: Row, code: (text: string) => string): string | Styled => {
  switch (row.type) {
    case "add":
      return { style: "added", text: `    + ${code(row.spans.map(({ text }) => text).join(""))}` }
    case "del":
      return { style: "removed", text: `    - ${code(row.spans.map(({ text }) => text).join(""))}` }
    case "same":
      return `      ${code(row.text)}`
    case "skip":
      return `      … ${countText(row.rows.length, "unchanged line")}`
  }
}

/** Keeps one line around each change. Longer gaps become a count; a gap of a single line stays. */
export const compact = (rows: ReadonlyArray<Row>): ReadonlyArray<Row> => {
  const kept: Array<Row> = []
  let skipped: Array<SameRow> = []
  const isChange = (row: Row | undefined) => row?.type === "add" || row?.type === "del"
  for (const [index, row] of rows.entries()) {
    if (row.type === "skip") skipped.push(...row.rows)
    else if (row.type === "same" && !isChange(rows[index - 1]) && !isChange(rows[index + 1])) skipped.push(row)
    else {
      if (kept.length > 0) kept.push(...(skipped.length > 1 ? [{ type: "skip", rows: skipped } as const] : skipped))
      skipped = []
      kept.push(row)
    }
  }
  return kept
}
