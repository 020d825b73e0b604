/** Rows under headings, each column as wide as its widest cell. */

export interface Column<Row> {
  readonly heading: string
  readonly cell: (row: Row) => string
  /** Numbers stand to the right. */
  readonly right?: true
}

export const table = <Row>(columns: ReadonlyArray<Column<Row>>, rows: ReadonlyArray<Row>): ReadonlyArray<string> => {
  const lines = [columns.map(({ heading }) => heading), ...rows.map((row) => columns.map(({ cell }) => cell(row)))]
  const widths = columns.map((_, index) => Math.max(...lines.map((cells) => cells[index]?.length ?? 0)))
  return lines.map((cells) =>
    cells
      .map((cell, index) =>
        columns[index]?.right ? cell.padStart(widths[index] ?? 0) : cell.padEnd(widths[index] ?? 0)
      )
      .join("  ")
      .trimEnd()
  )
}
