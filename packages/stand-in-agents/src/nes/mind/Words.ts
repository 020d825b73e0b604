/** Names in texts: letters, digits, `_` and `$`. Letters beyond the basic plane do not count. */
import type { Change, Renaming, Span } from "./Scene.ts"

const wordUnit = /[\p{L}\p{M}\p{N}_$]/u

const isWordUnit = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at)
  if (!(code > 127)) {
    return (
      (code > 96 && code < 123) || (code > 64 && code < 91) || (code > 47 && code < 58) || code === 95 || code === 36
    )
  }
  return wordUnit.test(text.charAt(at))
}

/** The span, widened to whole words. */
export const widened = (text: string, { end, start }: Span): Span => {
  let from = start
  while (from > 0 && isWordUnit(text, from - 1)) from--
  let to = end
  while (to < text.length && isWordUnit(text, to)) to++
  return { start: from, end: to }
}

/** Whether the text is one name, which no digit begins. */
export const isName = (text: string): boolean =>
  text.length > 0 && !/^[0-9]/.test(text) && widened(text, { start: 0, end: 0 }).end === text.length

/** Whether the span begins and ends where a word of its own may: it cuts no word. */
const cutsNoWord = (text: string, { end, start }: Span): boolean =>
  !(start > 0 && isWordUnit(text, start - 1) && isWordUnit(text, start)) &&
  !(end < text.length && end > 0 && isWordUnit(text, end - 1) && isWordUnit(text, end))

/** The offsets where a text stands and cuts no word, up to `most`. They do not overlap. */
export const placesOf = (text: string, wanted: string, most: number): ReadonlyArray<number> => {
  const places: Array<number> = []
  if (wanted === "") return places
  let at = text.indexOf(wanted)
  while (at !== -1 && places.length < most) {
    const end = at + wanted.length
    const fits = cutsNoWord(text, { start: at, end })
    if (fits) places.push(at)
    at = text.indexOf(wanted, fits ? end : at + 1)
  }
  return places
}

/** Changes for all places of a word, up to `most`. */
export const renamedIn = (text: string, { from, to }: Renaming, most: number): ReadonlyArray<Change> =>
  placesOf(text, from, most).map((start) => ({ start, end: start + from.length, text: to }))

/** The name that ends at the offset, or an empty text. */
export const nameBefore = (text: string, at: number): string => {
  const { start } = widened(text, { start: at, end: at })
  const word = text.slice(start, at)
  return isName(word) ? word : ""
}

/** The name that begins at the offset, or an empty text. */
export const nameAfter = (text: string, at: number): string => {
  const { end } = widened(text, { start: at, end: at })
  const word = text.slice(at, end)
  return isName(word) ? word : ""
}
