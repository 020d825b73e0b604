/** Text of the command line and its styles. Text may come from anybody; only Signalbox chooses styles. Pure. */
import { inText, revealControls } from "@signalbox/contracts/Invisible"
import { wrapped } from "./LineBreaks.ts"

export type Style = "bold" | "dim" | "error" | "warning" | "added" | "removed"

export interface Styled {
  readonly style?: Style
  readonly text: string
  /** Never wrapped: people copy this text, and would copy an added line break with it. */
  readonly whole?: true
}

/** One block of lines, or several blocks. */
export type Text = string | Styled | ReadonlyArray<string | Styled>

/** The only escape sequences for styles. `Terminal` writes those that clear a line or the screen. */
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
  /** Columns; infinite if lines are not wrapped. */
  readonly width: number
}

/**
 * Text that can't control a terminal: every control character except line breaks and tabs is shown as a glyph. All
 * output passes here.
 */
export const safe = (text: string): string => inText(revealControls(text.replaceAll("\r\n", "\n")))

/** The text as wrapped lines with escape sequences for its styles. Control characters in the text are made safe. */
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

/** The whole text in one style. */
export const styled = (style: Style, text: Text): ReadonlyArray<string | Styled> =>
  (isSeveral(text) ? text : [text]).map((block) =>
    typeof block === "string" ? { style, text: block } : { style, ...block }
  )
