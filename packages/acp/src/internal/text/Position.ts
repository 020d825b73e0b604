/** Places in a document, as editors and language servers count them. Lines and characters begin at zero. */
import * as Schema from "effect/Schema"
import * as Wire from "../schema/Wire.ts"

/** A place between two characters of a line. A character is what the agreed {@link PositionEncoding} says. */
export interface Position {
  readonly line: number
  readonly character: number
}
export const Position: Schema.Codec<Position, unknown> = Schema.Struct({
  line: Wire.unsigned,
  character: Wire.unsigned
})

/** The text from `start` up to `end`, without the character at `end`. */
export interface Range {
  readonly start: Position
  readonly end: Position
}
export const Range: Schema.Codec<Range, unknown> = Schema.Struct({ start: Position, end: Position })

/** The unit in which a position counts characters. `utf-16` where nobody says. */
export const PositionEncoding = Schema.Literals(["utf-16", "utf-32", "utf-8"])
export type PositionEncoding = typeof PositionEncoding.Type
