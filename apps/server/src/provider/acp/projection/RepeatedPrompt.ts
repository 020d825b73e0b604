/**
 * A person's prompt as an agent repeats it, piece by piece. Some agents repeat all attachments, others only the words.
 */
import type { ContentBlock } from "@signalbox/acp/AcpSchema"
import * as PromptFit from "@signalbox/acp/PromptFit"
import { blockText } from "./ContentMapping.ts"
import * as TextBeginning from "./TextBeginning.ts"

export interface RepeatedPrompt {
  /** The whole prompt so far, with a word for each part that is not text. Empty if nothing has come. */
  readonly whole: string
  /** Only the text, each piece on its own line: how agents break it up does not matter. */
  readonly words: string
  /** Characters of the whole that are left out. */
  readonly left: number
}

export const none: RepeatedPrompt = { whole: "", words: "", left: 0 }

/** Characters that are always kept. */
export const longest = 1024 * 1024

/**
 * Adds a piece. `expected`: the length of the longest prompt that it may be. Only the beginning of a longer text is
 * kept.
 */
export const add = ({ left, whole, words }: RepeatedPrompt, block: ContentBlock, expected: number): RepeatedPrompt => {
  const text = blockText(block)
  // Some agents repeat a file with its text, although the prompt had a link.
  const most = longest + 2 * expected
  const { left: more, text: kept } = TextBeginning.add({ text: whole, left }, text, most)
  const said = block.type === "text" ? TextBeginning.add({ text: words, left }, `\n${text}`, most).text : words
  return { whole: kept, words: said, left: more }
}

/** The repeated text, with a note about what is left out. */
export const textOf = ({ left, whole }: RepeatedPrompt): string => TextBeginning.told({ text: whole, left })

/** The texts that our record may hold for it: with attachments, and without. Empty if text is left out. */
export const readings = ({ left, whole, words }: RepeatedPrompt): ReadonlyArray<string> => {
  // It is longer than every known prompt.
  if (left > 0) return []
  const said = PromptFit.withoutFiles(words)
  return said.trim() === "" ? [whole] : [whole, said]
}
