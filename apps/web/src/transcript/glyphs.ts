/** Characters that nobody sees, made visible: what is not on screen can't be judged. */

/** A run of plain text, or one character that has no shape of its own. */
export type Piece =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "glyph"; readonly text: string; readonly glyph: string; readonly name: string }

/**
 * In what people are about to allow, nothing may hide: controls, line and paragraph separators, spaces other than U+0020,
 * bidirectional controls, zero-width and other ignorable characters, lone surrogates.
 */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}|\p{Cs}/gu

/** In what was printed, joiners and odd spaces belong to scripts and emoji; controls and bidirectional overrides do not. */
const unprintable = /(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]/gu

const named: ReadonlyMap<number, readonly [glyph: string, name: string]> = new Map([
  [0x0a, ["↵", "line break"]],
  [0x0d, ["␍", "carriage return"]],
  [0x09, ["⇥", "tab"]],
  [0x1b, ["␛", "escape"]],
  [0x7f, ["␡", "delete"]],
  [0xa0, ["⍽", "no-break space"]],
  [0xad, ["U+00AD", "soft hyphen"]],
  [0x200b, ["U+200B", "zero-width space"]],
  [0x200c, ["U+200C", "zero-width non-joiner"]],
  [0x200d, ["U+200D", "zero-width joiner"]],
  [0x200e, ["U+200E", "left-to-right mark"]],
  [0x200f, ["U+200F", "right-to-left mark"]],
  [0x202a, ["U+202A", "left-to-right embedding"]],
  [0x202b, ["U+202B", "right-to-left embedding"]],
  [0x202c, ["U+202C", "end of embedding"]],
  [0x202d, ["U+202D", "left-to-right override"]],
  [0x202e, ["U+202E", "right-to-left override"]],
  [0x2066, ["U+2066", "left-to-right isolate"]],
  [0x2067, ["U+2067", "right-to-left isolate"]],
  [0x2068, ["U+2068", "first strong isolate"]],
  [0x2069, ["U+2069", "end of isolate"]],
  [0x2028, ["U+2028", "line separator"]],
  [0x2029, ["U+2029", "paragraph separator"]],
  [0xfeff, ["U+FEFF", "zero-width no-break space"]]
])

const glyphOf = (character: string): Piece => {
  const code = character.codePointAt(0) ?? 0
  const hex = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`
  const known = named.get(code)
  if (known) return { type: "glyph", text: character, glyph: known[0], name: `${hex}, ${known[1]}` }
  // U+2400 to U+241F picture the C0 controls in order.
  const glyph = code < 0x20 ? String.fromCodePoint(0x2400 + code) : hex
  return { type: "glyph", text: character, glyph, name: `${hex}, ${code < 0xa0 ? "control character" : "invisible"}` }
}

const split = (text: string, invisible: RegExp): ReadonlyArray<Piece> => {
  const pieces: Array<Piece> = []
  let from = 0
  for (const match of text.matchAll(invisible)) {
    if (match.index > from) pieces.push({ type: "text", text: text.slice(from, match.index) })
    pieces.push(glyphOf(match[0]))
    from = match.index + match[0].length
  }
  if (from < text.length) pieces.push({ type: "text", text: text.slice(from) })
  return pieces
}

/** Commands, paths and addresses: every invisible character becomes a glyph. */
export const revealAll = (text: string): ReadonlyArray<Piece> => split(text, hidden)

/** Output: control characters and bidirectional overrides become glyphs; line breaks and tabs stay. */
export const revealControls = (text: string): ReadonlyArray<Piece> => split(text, unprintable)
