/** Removes parts of a text. */

export const redacted = "[redacted]"

/** A part of a text, with the bounds that `String.slice` takes. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Sorts spans, and joins those that overlap or touch. */
export const joined = (spans: ReadonlyArray<Span>): ReadonlyArray<Span> => {
  const apart: Array<Span> = []
  for (const span of [...spans].sort((one, other) => one.start - other.start)) {
    const last = apart.at(-1)
    if (last !== undefined && span.start <= last.end)
      apart[apart.length - 1] = { start: last.start, end: Math.max(last.end, span.end) }
    else apart.push(span)
  }
  return apart
}

/** Replaces parts of a text by a mark. The parts are in order, and none touches another. */
export const without = (text: string, spans: ReadonlyArray<Span>): string => {
  if (spans.length === 0) return text
  const kept: Array<string> = []
  let at = 0
  for (const { end, start } of spans) {
    kept.push(text.slice(at, start), redacted)
    at = end
  }
  kept.push(text.slice(at))
  return kept.join("")
}

/**
 * Replaces parts of a text that is in pieces. Each piece keeps its place, and the mark stands in the piece where a part
 * begins.
 */
export const withoutIn = (pieces: ReadonlyArray<string>, spans: ReadonlyArray<Span>): ReadonlyArray<string> => {
  let from = 0
  let next = 0
  return pieces.map((piece) => {
    const to = from + piece.length
    const kept: Array<string> = []
    let at = 0
    for (let span = spans[next]; span !== undefined && span.start < to; span = spans[next]) {
      kept.push(piece.slice(at, Math.max(at, span.start - from)))
      if (span.start >= from) kept.push(redacted)
      at = Math.min(piece.length, span.end - from)
      // This part continues in the next piece.
      if (span.end > to) break
      next += 1
    }
    from = to
    return kept.length === 0 ? piece : kept.join("") + piece.slice(at)
  })
}
