/** What a person said, as an agent tells it again: piece by piece, some with all that was attached, some with the words alone. */
import type { ContentBlock } from "@signalbox/acp/AcpSchema"
import * as PromptFit from "@signalbox/acp/PromptFit"
import { blockText } from "./ContentMapping.ts"

export interface ToldPrompt {
  /** As far as it is told, with a word for what is no text. Empty: nothing is. */
  readonly whole: string
  /** Its text alone, each piece on a line of its own: how agents break it up does not count. */
  readonly words: string
}

export const none: ToldPrompt = { whole: "", words: "" }

export const add = ({ whole, words }: ToldPrompt, block: ContentBlock): ToldPrompt => {
  const text = blockText(block)
  return { whole: whole + text, words: block.type === "text" ? `${words}\n${text}` : words }
}

/** The texts by which our record may know it: as it was told, and without what was attached. */
export const readings = ({ whole, words }: ToldPrompt): ReadonlyArray<string> => {
  const said = PromptFit.withoutFiles(words)
  return said.trim() === "" ? [whole] : [whole, said]
}
