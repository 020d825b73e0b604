/**
 * An agent that loads a session tells it again from the beginning, with nothing on it that marks it as old (ACP v1,
 * session-setup). What our own record holds is dropped, by its prompts; what the agent remembers beyond it is let through.
 */
import type { ContentBlock } from "@signalbox/acp/AcpSchema"
import * as ToldPrompt from "./ToldPrompt.ts"

export interface ReplayFilter {
  /** A piece of what a person had said. */
  readonly prompt: (piece: ContentBlock) => void
  /**
   * Something that is no prompt comes next. Returns the prompt that it answers if that has not been asked for yet and is not
   * known, and whether what follows is to be kept.
   */
  readonly rest: () => { readonly prompt: string | undefined; readonly keep: boolean }
}

/** Agents trim prompts and break them up; what counts is what was said. */
export const essence = (text: string): string => text.replace(/\s+/g, "")

/** `known` are the prompts of our record, oldest first. An agent may have forgotten some of them, e.g. cancelled ones. */
export const make = (known: ReadonlyArray<string>): ReplayFilter => {
  const essences = known.map(essence)
  const longest = known.reduce((most, { length }) => Math.max(most, length), 0)
  let next = 0
  let told = ToldPrompt.none
  // What comes before any prompt belongs to a session that we know if we know anything of it.
  let keep = known.length === 0

  return {
    prompt: (piece) => {
      told = ToldPrompt.add(told, piece, longest)
    },
    rest: () => {
      if (told.whole === "") return { prompt: undefined, keep }
      const prompt = ToldPrompt.textOf(told)
      const readings = new Set(ToldPrompt.readings(told).map(essence))
      told = ToldPrompt.none
      const found = essences.findIndex((known, index) => index >= next && readings.has(known))
      keep = found === -1
      if (keep) return { prompt, keep }
      next = found + 1
      return { prompt: undefined, keep }
    }
  }
}
