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
