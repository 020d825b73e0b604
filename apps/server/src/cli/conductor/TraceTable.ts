/** The table of a trace: a row for each event. Every text of the trace is one line without hidden characters, and escaped. */
import type { BookRow, Reading } from "./TraceBook.ts"
import { escaped } from "./TraceHtml.ts"

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

const rowHtml = (row: BookRow, isUnanswered: boolean, isLink: boolean): string => {
  const { from, number, to, ts } = row
  const words = `${row.words === "" ? "no method" : escaped(row.words)}${isUnanswered ? " <b>not answered</b>" : ""}`
  const cell = isLink ? `<a id="l${number}" href="event?line=${number}">${words}</a>` : words
  // Each name is isolated: letters that run from right to left would else change the places of the two.
  return `<tr class="${kindOf(row, isUnanswered)}"><td class="time">${ts.toFixed(3)}</td><td class="hop"><bdi>${escaped(from)}</bdi> <span>→</span> <bdi>${escaped(to)}</bdi></td><td class="words">${cell}</td></tr>\n`
}

/** @param areLinks whether each row leads to the page of its event */
export const html = (
  rows: ReadonlyArray<BookRow>,
  isWaiting: Reading["isWaiting"],
  areLinks: boolean
): string => `<table>
<thead><tr><th class="time" scope="col">Seconds</th><th class="hop" scope="col">From, to</th><th class="words" scope="col">Message</th></tr></thead>
<tbody>
${rows.map((row) => rowHtml(row, row.key !== undefined && isWaiting(row.key), areLinks)).join("")}</tbody>
</table>
`
