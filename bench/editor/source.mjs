// Files that are typed into: TypeScript as people write it, as long as one wants.

/** A function of ten lines, each time with another name. */
const block = (number) => `/** Reads the rows of table ${number}, and leaves out those that are not due yet. */
export const readTable${number} = async (store: Store, limit = ${number % 97}): Promise<ReadonlyArray<Row>> => {
  const rows = await store.all(\`select id, due_at from table_${number} limit \${limit}\`)
  if (rows.length === 0) throw new Error("Table ${number} is empty: " + store.name)
  return rows
    .map(({ due_at, id }) => ({ id, dueAt: new Date(due_at), isOpen: /^open-\\d+$/.test(id) }))
    .filter((row) => row.isOpen && row.dueAt.getTime() > ${number} * 1000)
}

`

/** TypeScript of so many lines. A line in its middle is empty, and the two above it begin a sequence. */
export const typescript = (lines) => {
  const blocks = Math.ceil(lines / 9)
  const half = Math.floor(blocks / 2)
  let text = ""
  for (let number = 0; number < blocks; number++) {
    if (number === half) text += "const row1 = 1\nconst row2 = 2\n\n\n"
    text += block(number)
  }
  return text.split("\n").slice(0, lines).join("\n")
}

/** The number of the empty line, from 1. */
export const emptyLine = (text) => text.slice(0, text.indexOf("\nconst row2 = 2\n")).split("\n").length + 2
