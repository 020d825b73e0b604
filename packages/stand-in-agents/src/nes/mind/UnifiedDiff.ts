/** Reads the last edit from a unified diff, for agents that have not seen it happen. */
import type { Edit } from "./Scene.ts"

/** The longest diff that is read, in UTF-16 units. */
const longest = 50_000

const hunkHeader = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@/

/** Lines that a hunk took out and put in, and the line of the new text where they are. */
interface Block {
  readonly line: number
  readonly removed: ReadonlyArray<string>
  readonly inserted: ReadonlyArray<string>
}

/** The first block of changed lines. The first line of a text is 0. */
const firstBlock = (diff: string): Block | undefined => {
  const removed: Array<string> = []
  const inserted: Array<string> = []
  let line = -1
  for (const row of diff.split(/\r?\n/)) {
    const [isHeader, start, count] = hunkHeader.exec(row) ?? []
    const isChanged = removed.length + inserted.length > 0
    if (isHeader !== undefined) {
      if (isChanged) break
      // Without lines in the new text, a hunk names the line before it.
      line = Number(start) - (count === "0" ? 0 : 1)
    } else if (line === -1 || row.startsWith("\\")) continue
    else if (row.startsWith("-")) removed.push(row.slice(1))
    else if (row.startsWith("+")) inserted.push(row.slice(1))
    else if (isChanged) break
    else line++
  }
  return removed.length + inserted.length > 0 ? { line, removed, inserted } : undefined
}

const offsetOfLine = (text: string, line: number): number => {
  const breaks = /\r\n|\n|\r/g
  for (let count = 0; count < line; count++) if (breaks.exec(text) === null) return text.length
  return breaks.lastIndex
}

/** The edit that a diff describes, in the text that came of it. Undefined if the text is another one. */
export const editOf = (diff: string, text: string): Edit | undefined => {
  if (diff.length > longest) return undefined
  const block = firstBlock(diff)
  if (block === undefined) return undefined
  const [lineEnd = "\n"] = /\r\n|\n|\r/.exec(text) ?? []
  const joined = (lines: ReadonlyArray<string>) => lines.map((line) => line + lineEnd).join("")
  const inserted = joined(block.inserted)
  const at = offsetOfLine(text, block.line)
  const edit = { at, removed: joined(block.removed), inserted }
  if (text.startsWith(inserted, at)) return edit
  // The last line of a file may have no end.
  const isLast = at + inserted.length - lineEnd.length === text.length && inserted.startsWith(text.slice(at))
  if (!isLast) return undefined
  const cut = (lines: string) => (lines.endsWith(lineEnd) ? lines.slice(0, -lineEnd.length) : lines)
  return { at, removed: cut(edit.removed), inserted: cut(inserted) }
}
