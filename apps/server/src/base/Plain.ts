/**
 * Text of agents made safe to show: what they send must not move the cursor, change the title, write to the
 * clipboard or hide what it says.
 */
import { inText, revealAll, revealControls, revealProse } from "@signalbox/contracts/Invisible"

/** Whole escape sequences go (CSI, OSC, strings, the short ones), so that no `[31m` stays behind. */
const sequences =
  // eslint-disable-next-line no-control-regex -- control characters are what it looks for
  /\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[PX^_][^\u001b]*(?:\u001b\\)?|\u001b[ -/]*[0-~]/g
/** Every other control character but tab and line feed. */
// eslint-disable-next-line no-control-regex -- control characters are what it looks for
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g
/** Reorders or hides its surroundings: direction overrides and isolates, zero-width characters. */
const invisible = /[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g

/** Without anything that steers a terminal or hides: for reading addresses and names out of what an agent wrote. */
export const stripped = (text: string): string =>
  text.replaceAll("\r\n", "\n").replace(sequences, "").replace(controls, "").replace(invisible, "")

/** Prose and output of several lines: colours and the like are left out, any other control is a glyph. */
export const plain = (text: string): string => inText(revealControls(withoutSequences(text)))

const withoutSequences = (text: string): string => text.replaceAll("\r\n", "\n").replace(sequences, "")

/** A title, a prompt or a sentence on one line, at most `width` characters long. A cut is marked, and what hides in it is a glyph. */
export const oneLine = (text: string, width = 160): string =>
  cut(
    inText(revealProse(withoutSequences(text)))
      .replace(/\s+/g, " ")
      .trim(),
    width
  )

/** What somebody is about to allow, whole: nothing is left out, and every invisible character is a glyph. */
export const revealed = (text: string): string => inText(revealAll(text))

/** `revealed` text on one line, at most `width` characters long. A cut is marked. */
export const revealedLine = (text: string, width = Number.POSITIVE_INFINITY): string =>
  cut(revealed(text).replaceAll("\n", ""), width)

const cut = (line: string, width: number): string =>
  line.length <= width ? line : `${line.slice(0, width - 1).replace(/[\ud800-\udbff]$/, "")}…`
