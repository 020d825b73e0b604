/** Places in a transcript as clients hold them: opaque, and good for as long as the thread is there. */
import { Cursor } from "@signalbox/contracts/Ids"

/** The cursor that stands before the entry at `position`. */
export const cursorAt = (position: number): Cursor =>
  Cursor.make(Buffer.from(position.toString(36)).toString("base64url"))

/** The position that a cursor stands before; undefined for one that we never gave out. */
export const positionOf = (cursor: Cursor): number | undefined => {
  const text = Buffer.from(cursor, "base64url").toString()
  const position = /^[0-9a-z]+$/.test(text) ? Number.parseInt(text, 36) : Number.NaN
  return Number.isSafeInteger(position) && position > 0 && cursorAt(position) === cursor ? position : undefined
}
