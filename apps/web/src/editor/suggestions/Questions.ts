/** Questions for suggestions. Only the latest one counts: a new one, or a change of the text, ends the one before it. */
import type { SuggestionAnswer, SuggestionQuestion } from "@signalbox/contracts/Suggestions"

export type Trigger = SuggestionQuestion["trigger"]

export interface Questions {
  /** Somebody wants suggestions, as soon as the server knows the text. */
  readonly want: (trigger: Trigger) => void
  /** People have changed the text: a new question is wanted. */
  readonly typed: () => void
  /** Goes on asking once there is a reason. Before people have changed anything, nobody is asked. */
  readonly goOn: () => void
  /** Something new is wrong in the text that people have changed. */
  readonly diagnosed: () => void
  readonly wanted: () => Trigger | undefined
  /** The text has changed, or nothing may be suggested now. */
  readonly drop: () => void
  /** Sends the question that is wanted. */
  readonly ask: (
    question: Omit<SuggestionQuestion, "trigger">,
    onAnswer: (answer: SuggestionAnswer, trigger: Trigger) => void
  ) => void
}

export const make = (
  send: (question: SuggestionQuestion, signal: AbortSignal) => Promise<SuggestionAnswer>,
  onFailed: (error: unknown) => void
): Questions => {
  let wanted: Trigger | undefined
  let running: AbortController | undefined
  let isEdited = false
  const abort = () => {
    running?.abort()
    running = undefined
  }
  const drop = () => {
    wanted = undefined
    abort()
  }
  const want = (trigger: Trigger) => {
    // A press of a key is not forgotten for a pause that follows.
    wanted = wanted === "manual" ? wanted : trigger
  }
  return {
    want,
    typed: () => {
      isEdited = true
      drop()
      want("automatic")
    },
    goOn: () => {
      if (isEdited) want("automatic")
    },
    diagnosed: () => {
      if (isEdited && wanted === undefined) want("diagnostic")
    },
    wanted: () => wanted,
    drop,
    ask: (question, onAnswer) => {
      const trigger = wanted
      if (trigger === undefined) return
      drop()
      const over = new AbortController()
      running = over
      send({ ...question, trigger }, over.signal).then(
        (answer) => {
          if (!over.signal.aborted) onAnswer(answer, trigger)
        },
        (error: unknown) => {
          if (!over.signal.aborted) onFailed(error)
        }
      )
    }
  }
}
