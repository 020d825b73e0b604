/** What the command line writes: words, and how they are drawn. Words may be anybody's; how they are drawn is ours alone. Pure. */
import { inText, revealControls } from "@signalbox/contracts/Invisible"
import { wrapped } from "./LineBreaks.ts"

export type Style = "bold" | "dim" | "error" | "warning" | "added" | "removed"

export interface Styled {
  readonly style?: Style
  readonly text: string
  /** It is there to be copied: a line break of ours would be copied with it. */
  readonly whole?: true
}

/** One block of lines, or several below each other. */
export type Text = string | Styled | ReadonlyArray<string | Styled>

/** The only escape sequences that are written, besides those of `Terminal` that clear a line or the screen. */
const codes: Readonly<Record<Style, readonly [on: number, off: number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  error: [31, 39],
  warning: [33, 39],
  added: [32, 39],
  removed: [31, 39]
}

export interface Paper {
  readonly coloured: boolean
  /** Columns; infinite where lines have no edge. */
  readonly width: number
}

/** Text that steers no terminal: every control but a line break and a tab is a glyph. All that is written passes here. */
export const safe = (text: string): string => inText(revealControls(text.replaceAll("\r\n", "\n")))

/** Lines that fit between words, safe whatever they hold. */
export const drawn = (text: Text, { coloured, width }: Paper): string =>
  (isSeveral(text) ? text : [text])
    .map((block) => {
      const { style, text, whole = false } = typeof block === "string" ? { style: undefined, text: block } : block
      const lines = whole ? safe(text) : wrapped(safe(text), width)
      if (style === undefined || !coloured) return lines
      const [on, off] = codes[style]
      return `\u001b[${on}m${lines}\u001b[${off}m`
    })
    .join("\n")

const isSeveral = (text: Text): text is ReadonlyArray<string | Styled> => Array.isArray(text)

/** All of a text in one style. */
export const styled = (style: Style, text: Text): ReadonlyArray<string | Styled> =>
  (isSeveral(text) ? text : [text]).map((block) =>
    typeof block === "string" ? { style, text: block } : { style, ...block }
  )
