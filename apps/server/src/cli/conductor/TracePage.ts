/** The page of a trace: its events, a thousand at once. */
import type { Reading } from "./TraceBook.ts"
import { documentOf, note, pathLine } from "./TraceHtml.ts"
import * as TraceTable from "./TraceTable.ts"

/** Rows on one page. */
const rowsAtOnce = 1000

/** Links to the neighbouring pages, and to the ends. */
const pager = (page: number, pages: number, count: number): string => {
  if (pages === 1) return ""
  const link = (to: number, words: string) =>
    to < 1 || to > pages || to === page ? `<span>${words}</span>` : `<a href="?page=${to}">${words}</a>`
  const first = (page - 1) * rowsAtOnce + 1
  return `<nav aria-label="Pages">${link(1, "First")}${link(page - 1, "Earlier")}<span class="now">Events ${first} to ${Math.min(first + rowsAtOnce - 1, count)} of ${count}</span>${link(page + 1, "Later")}${link(pages, "Last")}</nav>\n`
}

/** How many pages a trace has. */
export const pagesOf = ({ rows }: Pick<Reading, "rows">): number => Math.max(1, Math.ceil(rows.length / rowsAtOnce))

/** The page on which a row stands. */
export const pageOf = (at: number): number => Math.floor(at / rowsAtOnce) + 1

/** @param page counted from 1; one that is not there is replaced by the nearest */
export const html = (path: string, reading: Reading, page: number): string => {
  const { isWaiting, notes, rows } = reading
  const pages = pagesOf(reading)
  const at = Math.min(Math.max(page, 1), pages)
  const shown = rows.slice((at - 1) * rowsAtOnce, at * rowsAtOnce)
  const links = pager(at, pages, rows.length)
  const events = rows.length === 1 ? "1 event" : `${rows.length} events`
  const table = shown.length === 0 ? "" : TraceTable.html(shown, isWaiting, true)
  const body = `<h1>Trace</h1>
${pathLine(path)}<p>${events}. Load the page again to see what came since.</p>
${notes.map(note).join("")}${links}${table}${shown.length > 50 ? links : ""}`
  return documentOf("Trace", body)
}
