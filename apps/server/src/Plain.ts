/**
 * Text of agents made safe to show: what they send must not move the cursor, change the title, write to the
 * clipboard or hide what it says.
 */

const escape = String.raw`\u001b`
const bell = String.raw`\u0007`

/** Whole escape sequences go (CSI, OSC, strings, the short ones), so that no `[31m` stays behind. */
const sequences = new RegExp(
  [
    String.raw`${escape}\[[0-?]*[ -/]*[@-~]`,
    String.raw`${escape}\][^${bell}${escape}]*(?:${bell}|${escape}\\)?`,
    String.raw`${escape}[PX^_][^${escape}]*(?:${escape}\\)?`,
    String.raw`${escape}[ -/]*[0-~]`
  ].join("|"),
  "g"
)
/** Every other control character but tab and line feed. */
const controls = new RegExp(String.raw`[\u0000-\u0008\u000b-\u001f\u007f-\u009f]`, "g")
/** Reorders or hides its surroundings: direction overrides and isolates, zero-width characters. */
const invisible = /[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g

/** Text of several lines. */
export const plain = (text: string): string =>
  text.replaceAll("\r\n", "\n").replace(sequences, "").replace(controls, "").replace(invisible, "")

/** The same on one line, at most `width` characters long. A cut is marked. */
export const oneLine = (text: string, width = 160): string => {
  const line = plain(text).replace(/\s+/g, " ").trim()
  return line.length <= width ? line : `${line.slice(0, width - 1)}…`
}
