/**
 * An agent that loads a session sends it again from the beginning. Nothing on it marks it as old (ACP v1, session-setup). What our own
 * record holds is dropped, by its prompts; what the agent remembers beyond it is let through.
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
   * The person's words end here, because `next` comes. Returns the prompts that were sent since the last end and are not known. Says whether
   * what follows is to be kept.
   */
  readonly rest: (next: Next) => { readonly prompts: ReadonlyArray<string>; readonly keep: boolean }
  /** Whether a person's words are the last that was told: an answer to them may follow. */
  readonly isOpen: () => boolean
  /** Whether prompts that we know have not been told yet. */
  readonly isMissingSome: () => boolean
}

/** What comes in a history behind a person's words: a tool call, something else of the agent, other words of a person, or nothing. */
export type Next = "tool" | "answer" | "prompt" | "nothing"

/** `known` are the prompts of our record, oldest first. An agent may have forgotten some of them, e.g. cancelled ones. */
export const make = (known: ReadonlyArray<string>): ReplayFilter => {
  const prompts = KnownPrompts.make(known)
  const longest = known.reduce((most, { length }) => Math.max(most, length), 0)
  let told = ToldPrompt.none
  let run = PromptRun.make()
  let open = false
  /** What came last before the words that are being told. */
  let before: Next | undefined
  /** What looks as if it were said by a machine, before anything else. */
  let context: ContentBlock | undefined
  // What comes before any prompt belongs to a session that we know if we know anything of it.
  let keep = known.length === 0

  const add = (piece: ContentBlock) => {
    told = ToldPrompt.add(told, piece, longest)
    // What is longer than any prompt of ours is none of them, and not kept.
    if (told.left === 0) PromptRun.add(run, piece)
  }

  return {
    prompt: (piece) => {
      open = true
      const text = piece.type === "text" ? piece.text.trim() : ""
      const mayBeContext = before === undefined && context === undefined && told.whole === "" && isContext(text)
      const isOfMachine = mayBeContext || (before === "tool" && isToolAnswer(text))
      if (!isOfMachine || prompts.has(essence(text))) add(piece)
      else if (mayBeContext) context = piece
    },
    rest: (next) => {
      open = false
      // Nothing but a person's words is answered.
      if (context !== undefined && told.whole === "" && (next === "tool" || next === "answer")) add(context)
      // Words of machines alone, each under an id of its own, leave the place where they may stand as it is.
      const isSilent = next === "prompt" && context === undefined && told.whole === ""
      if (next !== "nothing" && !isSilent) before = next
      context = undefined
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

/** gemini tells its model where it is, in a piece of its own before the first prompt. */
const isContext = (text: string): boolean => text.startsWith("<session_context>") && text.endsWith("</session_context>")

/** gemini tells its model that a tool has answered, behind the call. A person may well say the same anywhere else. */
const isToolAnswer = (text: string): boolean =>
  text.startsWith("[Function Response: ") && text.indexOf("]") === text.length - 1
