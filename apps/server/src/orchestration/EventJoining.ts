/** Fewer events for the same state: what streams in pieces is stored as the text that it amounts to. */
import { isTextPiece, type TextPiece } from "@signalbox/contracts/TextEvents"
import type { LoggedEvent, ThreadEvent } from "@signalbox/contracts/ThreadEvent"

/** UTF-16 units of text in one stored piece. */
const longest = 65_536

/** Joins neighbouring pieces of one text. The joined piece keeps the place, time and id of the first. */
export const joinAdjacent = <Event extends ThreadEvent>(
  events: ReadonlyArray<Event | TextPiece>
): ReadonlyArray<Event | TextPiece> => {
  const joined: Array<Event | TextPiece> = []
  for (let start = 0; start < events.length;) {
    const run = runFrom(events, start)
    joined.push(run.event)
    start = run.end
  }
  return joined
}

/** Joins adjacent pieces in a stretch of a log. Each joined piece keeps the place of the last, and `apply` makes the same state of both. */
export const joinLogged = (log: ReadonlyArray<LoggedEvent>): ReadonlyArray<LoggedEvent> => {
  const events = log.map(({ event }) => event)
  const joined: Array<LoggedEvent> = []
  for (let start = 0; start < events.length;) {
    const { end, event } = runFrom(events, start)
    joined.push({ sequence: log[end - 1]!.sequence, event })
    start = end
  }
  return joined
}

/** The event at `start`, joined with all that continue it; `end` is where the next one begins. */
const runFrom = <Event extends ThreadEvent>(
  events: ReadonlyArray<Event | TextPiece>,
  start: number
): { readonly event: Event | TextPiece; readonly end: number } => {
  const first = events[start]!
  let end = start + 1
  if (!isTextPiece(first)) return { event: first, end }
  let text = first.text
  for (let next = events[end]; next !== undefined; next = events[end]) {
    if (!isTextPiece(next) || !continues(first, text.length, next)) break
    text += next.text
    end++
  }
  return { event: end === start + 1 ? first : { ...first, text }, end }
}

const continues = (first: TextPiece, length: number, next: TextPiece): boolean =>
  first.itemId === next.itemId &&
  first.type === next.type &&
  first.late === next.late &&
  first.offset + length === next.offset &&
  length + next.text.length <= longest
