/**
 * Text of agents made safe to show: what they send must not move the cursor, change the title, write to the
 * clipboard or hide what it says.
 */
import { inText, revealAll, revealControls, revealProse } from "@signalbox/contracts/Invisible"

/** Whole escape sequences (CSI, OSC, strings, short ones), removed together so that no `[31m` remains. */
const sequences =
  // eslint-disable-next-line no-control-regex -- control characters are what it looks for
  /\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[PX^_][^\u001b]*(?:\u001b\\)?|\u001b[ -/]*[0-~]/g
/** Every other control character but tab and line feed. */
// eslint-disable-next-line no-control-regex -- control characters are what it looks for
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g
/** Characters that reorder or hide their surroundings: direction overrides and isolates, zero-width characters. */
const invisible = /[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g

/**
 * The text without control sequences and invisible characters. Addresses and names in an agent's text are read from it.
 */
export const stripped = (text: string): string =>
  text.replaceAll("\r\n", "\n").replace(sequences, "").replace(controls, "").replace(invisible, "")

/**
 * Prose and output of several lines. Escape sequences are left out, and any other control character becomes a glyph.
 */
export const plain = (text: string): string => inText(revealControls(withoutSequences(text)))

const withoutSequences = (text: string): string => text.replaceAll("\r\n", "\n").replace(sequences, "")

/**
 * A title, a prompt or a sentence on one line, at most `width` characters long. A cut is marked, and an invisible
 * character becomes a glyph.
 */
export const oneLine = (text: string, width = 160): string =>
  cut(
    inText(revealProse(withoutSequences(text)))
      .replace(/\s+/g, " ")
      .trim(),
    width
  )

/** Text for an approval: nothing is left out, and every invisible character becomes a glyph. */
export const revealed = (text: string): string => inText(revealAll(text))

/** `revealed` text on one line, at most `width` characters long. A cut is marked. */
export const revealedLine = (text: string, width = Number.POSITIVE_INFINITY): string =>
  cut(revealed(text).replaceAll("\n", ""), width)

const cut = (line: string, width: number): string =>
  line.length <= width ? line : `${line.slice(0, width - 1).replace(/[\ud800-\udbff]$/, "")}…`
