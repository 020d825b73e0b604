/**
 * Makes invisible characters visible, since people can't judge what is not on the screen. The page and the command line
 * share this table.
 */

/** A run of plain text, or one character that has no shape of its own. */
export type Piece =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "glyph"; readonly text: string; readonly glyph: string; readonly name: string }

/**
 * Matches characters that could hide in a request: controls, line and paragraph separators, spaces other than U+0020,
 * and bidirectional controls. Also zero-width and other ignorable characters, characters drawn as a blank, and lone
 * surrogates.
 */
const hidden =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800\u{1d159}]|(?! )\p{Zs}|\p{Cs}/gu

/**
 * Matches characters that could hide in output: controls and bidirectional overrides. Joiners and unusual spaces stay,
 * since scripts and emoji use them.
 */
const unprintable = /(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]/gu

/**
 * Matches characters that could hide in prose. Spaces, line breaks, joiners in scripts that need them, and the parts of
 * emoji stay. All other invisible characters count.
 */
const disguised =
  /(?![\n\t]|\r\n)(?!(?<=\p{Emoji})[\ufe0e\ufe0f])(?!(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic}))(?!(?<=[\p{Script=Arabic}\p{Script=Bengali}\p{Script=Devanagari}\p{Script=Gujarati}\p{Script=Gurmukhi}\p{Script=Kannada}\p{Script=Khmer}\p{Script=Malayalam}\p{Script=Mongolian}\p{Script=Myanmar}\p{Script=Oriya}\p{Script=Sinhala}\p{Script=Tamil}\p{Script=Telugu}])[\u200c\u200d])(?:[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800\u{1d159}]|\p{Cs})/gu

const named: ReadonlyMap<number, readonly [glyph: string, name: string]> = new Map([
  [0x0a, ["↵", "line break"]],
  [0x0d, ["␍", "carriage return"]],
  [0x09, ["⇥", "tab"]],
  [0x1b, ["␛", "escape"]],
  [0x7f, ["␡", "delete"]],
  [0xa0, ["⍽", "no-break space"]]
])

const names: ReadonlyMap<number, string> = new Map([
  [0xad, "soft hyphen"],
  [0x034f, "combining grapheme joiner"],
  [0x061c, "Arabic letter mark"],
  [0x115f, "Hangul filler"],
  [0x1160, "Hangul filler"],
  [0x17b4, "Khmer inherent vowel"],
  [0x17b5, "Khmer inherent vowel"],
  [0x180e, "Mongolian vowel separator"],
  [0x200b, "zero-width space"],
  [0x200c, "zero-width non-joiner"],
  [0x200d, "zero-width joiner"],
  [0x200e, "left-to-right mark"],
  [0x200f, "right-to-left mark"],
  [0x2028, "line separator"],
  [0x2029, "paragraph separator"],
  [0x202a, "left-to-right embedding"],
  [0x202b, "right-to-left embedding"],
  [0x202c, "end of embedding"],
  [0x202d, "left-to-right override"],
  [0x202e, "right-to-left override"],
  [0x2060, "word joiner"],
  [0x2061, "invisible function application"],
  [0x2062, "invisible times"],
  [0x2063, "invisible separator"],
  [0x2064, "invisible plus"],
  [0x2066, "left-to-right isolate"],
  [0x2067, "right-to-left isolate"],
  [0x2068, "first strong isolate"],
  [0x2069, "end of isolate"],
  [0x2800, "blank Braille pattern"],
  [0x3164, "Hangul filler"],
  [0xfeff, "zero-width no-break space"],
  [0xffa0, "Hangul filler"],
  [0xfff9, "interlinear annotation"],
  [0xfffa, "interlinear annotation"],
  [0xfffb, "interlinear annotation"],
  [0x1d159, "blank note head"]
])

const within = (code: number, first: number, last: number): boolean => first <= code && code <= last

const nameOf = (code: number): string => {
  const known = names.get(code)
  if (known !== undefined) return known
  if (code < 0xa0) return "control character"
  if (within(code, 0xfe00, 0xfe0f) || within(code, 0xe0100, 0xe01ef) || within(code, 0x180b, 0x180f))
    return "variation selector"
  // A tag stands for an invisible ASCII character.
  if (within(code, 0xe0020, 0xe007e)) return `tag “${String.fromCodePoint(code - 0xe0000)}”`
  if (within(code, 0xe0000, 0xe007f)) return "tag"
  if (within(code, 0xd800, 0xdfff)) return "half of a character"
  return "invisible"
}

const glyphOf = (character: string): Piece => {
  const code = character.codePointAt(0) ?? 0
  const hex = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`
  const known = named.get(code)
  if (known) return { type: "glyph", text: character, glyph: known[0], name: `${hex}, ${known[1]}` }
  // U+2400 to U+241F picture the C0 controls in order.
  const glyph = code < 0x20 ? String.fromCodePoint(0x2400 + code) : hex
  return { type: "glyph", text: character, glyph, name: `${hex}, ${nameOf(code)}` }
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

/** Prompts, messages and titles: what hides or reorders is a glyph; what belongs to a script or an emoji stays. */
export const revealProse = (text: string): ReadonlyArray<Piece> => split(text, disguised)

/**
 * The pieces as one text, for places where a glyph can't be drawn: `␛`, but `<U+202E>`. A line still breaks at its
 * glyph.
 */
export const inText = (pieces: ReadonlyArray<Piece>): string =>
  pieces
    .map((piece) => {
      if (piece.type === "text") return piece.text
      const glyph = piece.glyph.startsWith("U+") ? `<${piece.glyph}>` : piece.glyph
      return piece.text === "\n" ? `${glyph}\n` : glyph
    })
    .join("")
