/** What terminals print, read down to a safe subset: colours and weight (SGR). Everything else that steers a terminal is left out. */

export type AnsiColour = "red" | "green" | "yellow" | "blue" | "magenta" | "cyan" | "dim"

export interface AnsiStyle {
  readonly colour?: AnsiColour
  readonly bold?: true
  readonly dim?: true
  readonly underline?: true
}

export interface AnsiRun {
  readonly text: string
  readonly style: AnsiStyle
}

/**
 * ECMA-48 control sequences: CSI … final byte, strings (OSC, DCS, SOS, PM, APC) up to BEL or ST, two-character escapes; with the
 * 8-bit C1 forms. An unfinished sequence at the end swallows what is there of it: the rest has not arrived yet.
 */
const sequence =
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  /(?:\u001b\[|\u009b)([\u0030-\u003f]*)[\u0020-\u002f]*([\u0040-\u007e]|$)|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c|$)|\u001b[\u0020-\u002f]*(?:[\u0030-\u007e]|$)/g

/** Black and white have no contrast in one of the themes: they print in the colour of the text. */
const colours: ReadonlyArray<AnsiColour | undefined> = [
  undefined,
  "red",
  "green",
  "yellow",
  "blue",
  "magenta",
  "cyan",
  undefined
]

/** The colour of a number in a terminal's palette. Bright colours are drawn as the others. The 256 and 16 million colours are left out. */
export const paletteColour = (number: number): AnsiColour | undefined => {
  if (number === 8) return "dim"
  return number < 16 ? colours[number % 8] : undefined
}

/** Styled runs of a text, in order. Adjacent runs differ in style. */
export const parseAnsi = (text: string): ReadonlyArray<AnsiRun> => {
  const runs: Array<AnsiRun> = []
  let style: AnsiStyle = {}
  let from = 0
  const flush = (to: number) => {
    if (to <= from) return
    const piece = text.slice(from, to)
    const last = runs.at(-1)
    if (last && last.style === style) runs[runs.length - 1] = { text: last.text + piece, style }
    else runs.push({ text: piece, style })
  }
  for (const match of text.matchAll(sequence)) {
    flush(match.index)
    from = match.index + match[0].length
    if (match[2] === "m") style = select(style, match[1] ?? "")
  }
  flush(text.length)
  return runs
}

/** Select Graphic Rendition. Backgrounds, blinking and the 256 and 16 million colours are read over, so that text stays legible. */
const select = (style: AnsiStyle, parameters: string): AnsiStyle => {
  const codes = parameters.split(";")
  let next = style
  for (let index = 0; index < codes.length; index++) {
    const parameter = codes[index] ?? ""
    const code = Number.parseInt(parameter === "" ? "0" : parameter, 10)
    if (code === 38 || code === 48 || code === 58) {
      // 38;5;n and 38;2;r;g;b; with colons the arguments are part of this parameter.
      if (parameter.includes(":")) continue
      const mode = codes[index + 1]
      const number = mode === "5" ? Number.parseInt(codes[index + 2] ?? "", 10) : Number.NaN
      if (code === 38) next = coloured(next, paletteColour(number))
      index += mode === "5" ? 2 : mode === "2" ? 4 : 0
    } else if (code === 0) next = {}
    else if (code === 1 || code === 7) next = { ...next, bold: true }
    else if (code === 2) next = { ...next, dim: true }
    else if (code === 4) next = parameter === "4:0" ? without(next, "underline") : { ...next, underline: true }
    else if (code === 22) next = without(without(next, "bold"), "dim")
    else if (code === 24) next = without(next, "underline")
    else if (code === 27) next = without(next, "bold")
    else if (code >= 30 && code <= 37) next = coloured(next, paletteColour(code - 30))
    else if (code >= 90 && code <= 97) next = coloured(next, paletteColour(code - 82))
    else if (code === 39) next = coloured(next, undefined)
  }
  return next
}

const without = (style: AnsiStyle, key: "bold" | "dim" | "underline"): AnsiStyle => {
  const { [key]: _, ...rest } = style
  return rest
}

const coloured = (style: AnsiStyle, colour: AnsiColour | undefined): AnsiStyle => {
  const { colour: _, ...rest } = style
  return colour === undefined ? rest : { ...rest, colour }
}
