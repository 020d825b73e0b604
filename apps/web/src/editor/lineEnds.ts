/** Texts with their own line ends, as documents of the editor and back. Nothing else of a text changes on the way. */
import type { LineEnd } from "@signalbox/contracts/Documents"
import { Text } from "@codemirror/state"

/** What parts lines. In a mixed text, a carriage return is a character of its line. */
const separators: { readonly [End in LineEnd]: string } = { lf: "\n", crlf: "\r\n", cr: "\r", mixed: "\n" }

export const toDoc = (text: string, lineEnd: LineEnd): Text => Text.of(text.split(separators[lineEnd]))

export const toText = (doc: Text, lineEnd: LineEnd): string => doc.sliceString(0, doc.length, separators[lineEnd])

/** How line ends are called in the status line. */
export const lineEndWords: { readonly [End in LineEnd]: string } = {
  lf: "LF",
  crlf: "CRLF",
  cr: "CR",
  mixed: "Mixed line ends"
}

/** The one change that makes a text of another. Undefined if they are equal. */
export const changeBetween = (
  before: string,
  after: string
): { readonly from: number; readonly to: number; readonly insert: string } | undefined => {
  if (before === after) return undefined
  const shorter = Math.min(before.length, after.length)
  let from = 0
  while (from < shorter && before.charCodeAt(from) === after.charCodeAt(from)) from += 1
  // Half a character is never cut off.
  if (from > 0 && isHigh(before.charCodeAt(from - 1))) from -= 1
  let behind = 0
  while (
    behind < shorter - from &&
    before.charCodeAt(before.length - 1 - behind) === after.charCodeAt(after.length - 1 - behind)
  )
    behind += 1
  if (behind > 0 && isLow(before.charCodeAt(before.length - behind))) behind -= 1
  return { from, to: before.length - behind, insert: after.slice(from, after.length - behind) }
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000
