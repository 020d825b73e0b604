/** The words of a wire. Pure. */
import type { WireRow } from "@signalbox/contracts/Wire"
import { count, figure } from "../words/figures.ts"

/** 14:29:48.010 */
export const preciseTime = (at: number): string => {
  const date = new Date(at)
  const two = (value: number) => String(value).padStart(2, "0")
  const clock = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
  return `${clock}.${String(date.getMilliseconds()).padStart(3, "0")}`
}

const kinds = {
  request: "request",
  answer: "answer",
  notification: "notification",
  stray: "no message",
  stderr: "stderr",
  note: "note"
}

/** What a row is, in the place of its method. */
export const nameOf = ({ kind, mcp, method }: WireRow): string =>
  method === undefined ? kinds[kind] : mcp === true ? `mcp ${method}` : method

const placeName = (places: ReadonlyArray<string>, place: number): string => places[place] ?? "Agent"

/** "Cursor to Signalbox", or the place of what goes nowhere. */
export const wayOf = ({ from, to }: WireRow, places: ReadonlyArray<string>): string =>
  from === to ? placeName(places, from) : `${placeName(places, from)} to ${placeName(places, to)}`

/** What a row says: with how many messages it stands for, and how many of them came through. */
export const summaryOf = ({ kind, summary, times }: WireRow): string => {
  const said = summary === "" && kind === "answer" ? "result" : summary
  if (times === undefined) return said
  const through = times.arrived < times.sent ? `, ${figure(times.arrived)} came through` : ""
  return `${said} × ${figure(times.sent)}${through}`
}

/** What became of a message at a part, in a few words: a change, or an answer that is missing. */
export const markOf = (row: WireRow, places: ReadonlyArray<string>, runs: boolean): string | undefined => {
  if (row.kind === "request" && row.pair === undefined) {
    if (row.missed === true) return "no answer here: lines are missing"
    return runs ? "no answer yet" : "no answer"
  }
  return row.changed === undefined ? undefined : `changed by ${placeName(places, row.from)}`
}

/** How many rows are seen of how many. */
export const countWords = (shown: number, rows: number, left: number): string => {
  const seen = shown === rows ? count(rows, "row") : `${figure(shown)} of ${count(rows, "row")}`
  return left === 0 ? seen : `${seen}. ${figure(left)} earlier ${left === 1 ? "one is" : "ones are"} not shown.`
}
