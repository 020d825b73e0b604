/**
 * Places in a document, counted as editors and language servers do, and texts that find them: `Positions.of(text)`.
 *
 * Lines end with LF, CRLF or CR. A position beyond a line is the line's end. One inside a character is the character's start.
 */
import { Lines } from "./internal/text/Lines.ts"

export type { Change, Edit, Fit, Place } from "./internal/text/Lines.ts"
export { Position, PositionEncoding, Range } from "./internal/text/Position.ts"
export type { Lines }

/** A text that knows its lines, and takes changes without reading all of it again. */
export const of = (text: string): Lines => Lines.of(text)
