/**
 * Filters the history that an agent sends after it loads a session; nothing in it is marked as old (ACP v1,
 * session-setup). Prompts of our own record are dropped together with their answers. What the agent knows beyond our
 * record is kept.
 */
import type { ContentBlock } from "@signalbox/acp/AcpSchema"
import * as KnownPrompts from "./KnownPrompts.ts"
import * as PromptRun from "./PromptRun.ts"
import { essence } from "./PromptEssence.ts"
import * as RepeatedPrompt from "./RepeatedPrompt.ts"

export interface ReplayFilter {
  /** Adds a piece of a person's words. */
  readonly prompt: (piece: ContentBlock) => void
  /**
   * Ends the person's words, since `next` comes. Returns the unknown prompts since the last end, and whether the
   * updates that follow are kept.
   */
  readonly rest: (next: Next) => { readonly prompts: ReadonlyArray<string>; readonly keep: boolean }
  /** Whether a person's words came last, so that their answer may follow. */
  readonly isOpen: () => boolean
  /** Whether known prompts have not been repeated yet. */
  readonly isMissingSome: () => boolean
}

/**
 * What follows a person's words in a history: a tool call, another update of the agent, other words of a person, or
 * nothing.
 */
export type Next = "tool" | "answer" | "prompt" | "nothing"

/**
 * Makes a filter. `known`: the prompts of our record, oldest first. The agent may have forgotten some, e.g. cancelled
 * ones.
 */
export const make = (known: ReadonlyArray<string>): ReplayFilter => {
  const prompts = KnownPrompts.make(known)
  const longest = known.reduce((most, { length }) => Math.max(most, length), 0)
  let told = RepeatedPrompt.none
  let run = PromptRun.make()
  let open = false
  /** What came last before the current words. */
  let before: Next | undefined
  /** The first piece of the history, if it looks like text of a machine. */
  let context: ContentBlock | undefined
  // Updates before any prompt belong to a known session, if we know any of its prompts.
  let keep = known.length === 0

  const add = (piece: ContentBlock) => {
    told = RepeatedPrompt.add(told, piece, longest)
    // Text longer than every known prompt can't be one of them, so its pieces are not kept.
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
      // An agent answers only words of a person.
      if (context !== undefined && told.whole === "" && (next === "tool" || next === "answer")) add(context)
      // Text of machines alone, each with its own id, does not change what came before.
      const isSilent = next === "prompt" && context === undefined && told.whole === ""
      if (next !== "nothing" && !isSilent) before = next
      context = undefined
      if (told.whole === "") return { prompts: [], keep }
      const whole = told
      const pieces = run
      told = RepeatedPrompt.none
      run = PromptRun.make()
      if (takeKnown(prompts, RepeatedPrompt.readings(whole).map(essence), pieces)) {
        keep = false
        return { prompts: [], keep }
      }
      // With characters left out, it is longer than every known prompt.
      const parts = whole.left > 0 ? undefined : PromptRun.parts(pieces, prompts)
      if (parts === undefined) {
        keep = true
        return { prompts: [RepeatedPrompt.textOf(whole)], keep }
      }
      keep = parts.endsNew
      return { prompts: parts.fresh, keep }
    },
    isOpen: () => open,
    isMissingSome: () => prompts.place() < known.length
  }
}

/** Takes one known prompt, or several in a row. If both readings fit, it uses the one that takes fewer prompts. */
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

/** Whether a text is gemini's description of its environment, which it sends to its model before the first prompt. */
const isContext = (text: string): boolean => text.startsWith("<session_context>") && text.endsWith("</session_context>")

/**
 * Whether a text is gemini's report of a tool's result to its model. It counts only after a call, since people may
 * write such text elsewhere.
 */
const isToolAnswer = (text: string): boolean =>
  text.startsWith("[Function Response: ") && text.indexOf("]") === text.length - 1
