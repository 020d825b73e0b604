/** Rows under headings, each column as wide as its widest cell. */
import { oneLine } from "../../base/Plain.ts"
import * as Terminal from "./Terminal.ts"

export interface Column<Row> {
  readonly heading: string
  readonly cell: (row: Row) => string
  /** Aligns the column to the right, for numbers. */
  readonly right?: true
}

/**
 * A table with lines of at most `width` columns. Longer lines are cut, except if stdout isn't a terminal: programs want
 * all of it.
 */
export const table = <Row>(
  columns: ReadonlyArray<Column<Row>>,
  rows: ReadonlyArray<Row>,
  width = Terminal.width()
): ReadonlyArray<string> => {
  const lines = [
    columns.map(({ heading }) => heading),
    ...rows.map((row) => columns.map(({ cell }) => oneLine(cell(row), Number.POSITIVE_INFINITY)))
  ]
  const widths = columns.map((_, index) =>
    lines.reduce((widest, cells) => Math.max(widest, cells[index]?.length ?? 0), 0)
  )
  return lines.map((cells) => {
    const line = cells
      .map((cell, index) =>
        columns[index]?.right ? cell.padStart(widths[index] ?? 0) : cell.padEnd(widths[index] ?? 0)
      )
      .join("  ")
      .trimEnd()
    return line.length <= width ? line : `${line.slice(0, width - 1)}…`
  })
}
