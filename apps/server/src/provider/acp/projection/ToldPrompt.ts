/** What a person said, as an agent tells it again: piece by piece, some with all that was attached, some with the words alone. */
import type { ContentBlock } from "@signalbox/acp/AcpSchema"
import * as PromptFit from "@signalbox/acp/PromptFit"
import { blockText } from "./ContentMapping.ts"
import * as TextBeginning from "./TextBeginning.ts"

export interface ToldPrompt {
  /** The whole prompt as far as it was sent, with a word for what is no text. Empty if nothing was. */
  readonly whole: string
  /** Its text alone, each piece on a line of its own: how agents break it up does not count. */
  readonly words: string
  /** Characters of the whole that are left out. */
  readonly left: number
}

export const none: ToldPrompt = { whole: "", words: "", left: 0 }

/** Characters that are kept at least. */
export const longest = 1024 * 1024

/** `expected`: the length of the longest prompt that it may be. What is longer than any of these is kept in part. */
export const add = ({ left, whole, words }: ToldPrompt, block: ContentBlock, expected: number): ToldPrompt => {
  const text = blockText(block)
  // Some agents tell a file with its text where the prompt had a link.
  const most = longest + 2 * expected
  const { left: more, text: kept } = TextBeginning.add({ text: whole, left }, text, most)
  const said = block.type === "text" ? TextBeginning.add({ text: words, left }, `\n${text}`, most).text : words
  return { whole: kept, words: said, left: more }
}

/** What is told, with a word about what is left out. */
export const textOf = ({ left, whole }: ToldPrompt): string => TextBeginning.told({ text: whole, left })

/** The texts by which our record may know it: as it was told, and without what was attached. */
export const readings = ({ left, whole, words }: ToldPrompt): ReadonlyArray<string> => {
  // It is longer than any of ours.
  if (left > 0) return []
  const said = PromptFit.withoutFiles(words)
  return said.trim() === "" ? [whole] : [whole, said]
}
