/** The page of one event: its row, and the whole line of the trace as JSON for people. */
import { revealed } from "../../base/Plain.ts"
import * as JsonLayout from "./JsonLayout.ts"
import type { Reading } from "./TraceBook.ts"
import { documentOf, escaped, note, pathLine } from "./TraceHtml.ts"
import type { TraceLine } from "./TraceLines.ts"
import { pageOf } from "./TracePage.ts"
import * as TraceTable from "./TraceTable.ts"

/** Characters that are shown at once. */
const mostCharacters = 256 * 1024

/** Whether a row stands at this line; else the place where it would stand among the rows, which are in the order of their lines. */
const find = ({ rows }: Reading, line: number): { readonly at: number; readonly isThere: boolean } => {
  let from = 0
  let to = rows.length
  while (from < to) {
    const middle = (from + to) >> 1
    if ((rows[middle]?.number ?? 0) < line) from = middle + 1
    else to = middle
  }
  return { at: from, isThere: rows[from]?.number === line }
}

/** Links to the trace and to the events before and behind this one. */
const navigation = ({ rows }: Reading, line: number, at: number, isThere: boolean): string => {
  const link = (place: number, words: string) => {
    const row = rows[place]
    return row === undefined ? `<span>${words}</span>` : `<a href="event?line=${row.number}">${words}</a>`
  }
  const back = isThere ? `./?page=${pageOf(at)}#l${line}` : "./"
  return `<nav aria-label="Events"><a href="${back}">All events</a>${link(at - 1, "Earlier")}${link(isThere ? at + 1 : at, "Later")}</nav>\n`
}

/** A text with its line breaks. Hidden characters are signs. */
const lines = (text: string): string => escaped(text.split("\n").map(revealed).join("\n"))

/** @param line as the file has it now */
export const html = (path: string, reading: Reading, { event, number, text }: TraceLine): string => {
  const { at, isThere } = find(reading, number)
  const shown =
    event === undefined
      ? { text: text.slice(0, mostCharacters), left: text.length - mostCharacters }
      : JsonLayout.of(text, mostCharacters)
  const notes = [
    ...(event === undefined
      ? [text === "" ? "This line is too long to be read." : "This line is no event of a trace."]
      : []),
    ...(shown.left > 0 ? [`Only the beginning is shown. ${shown.left} more characters are on the line.`] : [])
  ]
  const table = isThere ? TraceTable.html(reading.rows.slice(at, at + 1), reading.isWaiting, false) : ""
  const body = `<h1>Event on line ${number}</h1>
${pathLine(path)}${navigation(reading, number, at, isThere)}${table}${notes.map(note).join("")}<pre>${lines(shown.text)}</pre>
`
  return documentOf(`Event on line ${number}`, body)
}
