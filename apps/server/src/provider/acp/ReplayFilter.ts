/**
 * An agent that loads a session tells it again from the beginning, with nothing on it that marks it as old (ACP v1,
 * session-setup). What our own record holds is dropped, by its prompts; what the agent remembers beyond it is let through.
 */
import type { ContentBlock } from "@signalbox/acp/AcpSchema"
import * as KnownPrompts from "./KnownPrompts.ts"
import * as PromptRun from "./PromptRun.ts"
import { essence } from "./PromptEssence.ts"
import * as ToldPrompt from "./ToldPrompt.ts"

export interface ReplayFilter {
  /** A piece of what a person had said. */
  readonly prompt: (piece: ContentBlock) => void
  /**
   * Something that is no prompt comes next. Returns the prompts that it answers if they have not been asked for yet and are not
   * known, and whether what follows is to be kept.
   */
  readonly rest: () => { readonly prompts: ReadonlyArray<string>; readonly keep: boolean }
  /** Whether a person's words are the last that was told: an answer to them may follow. */
  readonly isOpen: () => boolean
  /** Whether prompts that we know have not been told yet. */
  readonly isMissingSome: () => boolean
}

/** `known` are the prompts of our record, oldest first. An agent may have forgotten some of them, e.g. cancelled ones. */
export const make = (known: ReadonlyArray<string>): ReplayFilter => {
  const prompts = KnownPrompts.make(known)
  const longest = known.reduce((most, { length }) => Math.max(most, length), 0)
  let told = ToldPrompt.none
  let run = PromptRun.make()
  let open = false
  // What comes before any prompt belongs to a session that we know if we know anything of it.
  let keep = known.length === 0

  return {
    prompt: (piece) => {
      open = true
      if (piece.type === "text" && isOfMachine(piece.text) && !prompts.has(essence(piece.text))) return
      told = ToldPrompt.add(told, piece, longest)
      PromptRun.add(run, piece)
    },
    rest: () => {
      open = false
      if (told.whole === "") return { prompts: [], keep }
      const whole = told
      const pieces = run
      told = ToldPrompt.none
      run = PromptRun.make()
      if (takeKnown(prompts, ToldPrompt.readings(whole).map(essence), pieces)) {
        keep = false
        return { prompts: [], keep }
      }
      // It is longer than any of ours.
      const parts = whole.left > 0 ? undefined : PromptRun.parts(pieces, prompts)
      if (parts === undefined) {
        keep = true
        return { prompts: [ToldPrompt.textOf(whole)], keep }
      }
      keep = parts.endsNew
      return { prompts: parts.fresh, keep }
    },
    isOpen: () => open,
    isMissingSome: () => prompts.place() < known.length
  }
}

/** One known prompt, or several in a row. Of both readings the one that leaves more to come is right, or does no harm. */
const takeKnown = (
  known: KnownPrompts.KnownPrompts,
  readings: ReadonlyArray<string>,
  run: PromptRun.PromptRun
): boolean => {
  if (readings.length === 0) return false
  const place = known.place()
  const afterOne = known.takeFirst(readings) ? known.place() : Infinity
  known.goTo(place)
  if (afterOne === place + 1) known.goTo(afterOne)
  else if (PromptRun.takeAll(run, known)) known.goTo(Math.min(afterOne, known.place()))
  else if (afterOne !== Infinity) known.goTo(afterOne)
  return known.place() > place
}

/**
 * What agents put among a person's words for their model, each in a piece of its own: gemini tells where it is before the first prompt,
 * and that a tool has answered.
 */
const isOfMachine = (text: string): boolean => {
  const trimmed = text.trim()
  if (trimmed.startsWith("[Function Response: ")) return trimmed.indexOf("]") === trimmed.length - 1
  return trimmed.startsWith("<session_context>") && trimmed.endsWith("</session_context>")
}
