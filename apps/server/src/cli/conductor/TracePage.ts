/** The page of a trace, as HTML without scripts. Every text of the trace is one line without hidden characters, and escaped. */
import { oneLine } from "../../base/Plain.ts"
import type { BookRow, Reading } from "./TraceBook.ts"

/** Rows on one page. */
const rowsAtOnce = 1000

const entities: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

/** Text as HTML shows it, in elements and in attributes. */
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? "")

/** How far from the client a part of the chain is; undefined for a name that no trace has. */
const placeOf = (name: string): number | undefined => {
  if (name === "Client") return -1
  if (name === "Agent") return Number.POSITIVE_INFINITY
  const number = /^Proxy\((\d{1,6})\)$/.exec(name)?.[1]
  return number === undefined ? undefined : Number(number)
}

const kindOf = ({ from, isError, to }: BookRow, isUnanswered: boolean): string => {
  if (isError) return "failed"
  if (isUnanswered) return "open"
  const start = placeOf(from)
  const end = placeOf(to)
  return start !== undefined && end !== undefined && start < end ? "down" : "up"
}

const rowHtml = (row: BookRow, isUnanswered: boolean): string => {
  const { from, to, ts, words } = row
  return `<tr class="${kindOf(row, isUnanswered)}"><td class="time">${ts.toFixed(3)}</td><td class="hop">${escaped(from)} <span>→</span> ${escaped(to)}</td><td class="words">${escaped(words)}${isUnanswered ? " <b>not answered</b>" : ""}</td></tr>\n`
}

/** Links to the neighbouring pages, and to the ends. */
const pager = (page: number, pages: number, count: number): string => {
  if (pages === 1) return ""
  const link = (to: number, words: string) =>
    to < 1 || to > pages || to === page ? `<span>${words}</span>` : `<a href="?page=${to}">${words}</a>`
  const first = (page - 1) * rowsAtOnce + 1
  return `<nav aria-label="Pages">${link(1, "First")}${link(page - 1, "Earlier")}<span class="now">Events ${first} to ${Math.min(first + rowsAtOnce - 1, count)} of ${count}</span>${link(page + 1, "Later")}${link(pages, "Last")}</nav>\n`
}

const documentOf = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="style.css">
</head>
<body>
<main>
${body}</main>
</body>
</html>
`

/** How many pages a trace has. */
export const pagesOf = ({ rows }: Pick<Reading, "rows">): number => Math.max(1, Math.ceil(rows.length / rowsAtOnce))

/** @param page counted from 1; one that is not there is replaced by the nearest */
export const html = (path: string, reading: Reading, page: number): string => {
  const { isWaiting, notes, rows } = reading
  const pages = pagesOf(reading)
  const at = Math.min(Math.max(page, 1), pages)
  const shown = rows.slice((at - 1) * rowsAtOnce, at * rowsAtOnce)
  const links = pager(at, pages, rows.length)
  const events = rows.length === 1 ? "1 event" : `${rows.length} events`
  const table =
    shown.length === 0
      ? ""
      : `<table>
<thead><tr><th class="time" scope="col">Seconds</th><th class="hop" scope="col">From, to</th><th class="words" scope="col">Message</th></tr></thead>
<tbody>
${shown.map((row) => rowHtml(row, row.key !== undefined && isWaiting(row.key))).join("")}</tbody>
</table>
`
  const body = `<h1>Trace</h1>
<p class="path">${escaped(oneLine(path, 400))}</p>
<p>${events}. Load the page again to see what came since.</p>
${notes.map((note) => `<p class="note">${escaped(oneLine(note, 1000))}</p>\n`).join("")}${links}${table}${shown.length > 50 ? links : ""}`
  return documentOf("Trace · Signalbox", body)
}

/** A page that says what is wrong. */
export const problem = (title: string, words: string): string =>
  documentOf(
    "Trace · Signalbox",
    `<h1>${escaped(oneLine(title, 200))}</h1>\n<p class="note">${escaped(oneLine(words, 1000))}</p>\n`
  )

/** Colours are those of Signalbox's page. The theme is the system's. */
export const style = `:root {
  color-scheme: light dark;
  --panel: light-dark(#f6f8f7, #151b1a);
  --card: light-dark(#ffffff, #1b2221);
  --line: light-dark(#d2dad7, #2a3432);
  --ink: light-dark(#16201d, #e5ebe9);
  --ink2: light-dark(#414e4a, #b6c1be);
  --ink3: light-dark(#57635f, #92a09c);
  --blue: light-dark(#1b5792, #82b4ea);
  --amber: light-dark(#7f5200, #e4b04b);
  --amber-tint: light-dark(#fbf0d9, #2b2412);
  --red: light-dark(#ab231c, #f48a82);
  --red-tint: light-dark(#fae4e2, #321b1a);
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--panel); color: var(--ink); font: 0.8125rem/1.125rem system-ui, sans-serif; font-variant-numeric: tabular-nums; }
main { max-width: 80rem; margin: 0 auto; padding: 1rem; }
h1 { margin: 0; font-size: 1rem; line-height: 1.25rem; font-weight: 600; }
p { margin: 0.25rem 0; color: var(--ink2); overflow-wrap: anywhere; }
.path, td.hop, td.words { font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; font-size: 0.75rem; }
.note { color: var(--ink); background: var(--amber-tint); padding: 0.25rem 0.5rem; border-radius: 3px; }
nav { display: flex; flex-wrap: wrap; align-items: center; margin: 0.5rem -0.5rem; color: var(--ink3); }
nav > * { padding: 0.375rem 0.5rem; }
nav .now { color: var(--ink); }
a { color: var(--blue); text-decoration: none; border-radius: 3px; }
a:hover { text-decoration: underline; }
a:focus-visible { outline: 2px solid var(--blue); }
table { width: 100%; margin: 0.5rem 0; border-collapse: collapse; background: var(--card); border: 1px solid var(--line); }
th, td { padding: 0.25rem 0.5rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
th { position: sticky; top: 0; background: var(--card); color: var(--ink3); font: inherit; font-weight: 600; }
.time { text-align: right; white-space: nowrap; color: var(--ink3); }
.hop { white-space: nowrap; }
.words { width: 100%; overflow-wrap: anywhere; }
.down .hop span { color: var(--blue); }
.up .hop span, .up .words { color: var(--ink2); }
.failed { background: var(--red-tint); }
.failed .words { color: var(--red); }
.open { background: var(--amber-tint); }
b { color: var(--amber); font-weight: 600; white-space: nowrap; }
@media (max-width: 45rem) {
  main { padding: 0.75rem 0.5rem; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  tr { display: grid; grid-template-columns: auto 1fr; border-bottom: 1px solid var(--line); }
  td { border: 0; }
  .hop { text-align: right; }
  .words { grid-column: 1 / -1; padding-top: 0; }
  a, nav > * { padding: 0.625rem 0.5rem; }
}
`
