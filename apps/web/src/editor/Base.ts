/** What the text that is shown was made from. */
import type { DocumentText } from "@signalbox/contracts/Documents"
import type { Text } from "@codemirror/state"
import { toDoc } from "./lineEnds.ts"

/** `version: null`: no file. */
export interface Base {
  readonly text: string
  readonly doc: Text
  readonly version: string | null
}

export const baseOf = ({
  lineEnd,
  text,
  version
}: Pick<DocumentText, "lineEnd" | "text"> & { readonly version: string | null }): Base => ({
  text,
  doc: toDoc(text, lineEnd),
  version
})
