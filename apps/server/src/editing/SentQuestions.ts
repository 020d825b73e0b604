/** The latest questions to an agent as they left, for people who want to know what was sent. */
import * as Predicate from "effect/Predicate"
import type { SessionTape } from "../tape/Tape.ts"

/** A document that the agent had. */
export interface SentDocument {
  readonly uri: string
  readonly version: number
  readonly bytes: number
  /** When its text was reported, in milliseconds since 1970. */
  readonly atMs: number
}

export interface SentQuestion {
  readonly agent: string
  readonly atMs: number
  /** The line as it left. */
  readonly json: string
  readonly documents: ReadonlyArray<SentDocument>
  readonly tape: string | undefined
}

interface Kept extends SentQuestion {
  readonly ids: Array<string>
}

/** Most questions that are kept, and most characters of all of them. The latest one is always kept. */
const mostQuestions = 20
const mostCharacters = 16 * 1024 * 1024

export interface SentQuestions {
  readonly add: (question: SentQuestion) => void
  /** These suggestions came of the latest question. */
  readonly answered: (ids: ReadonlyArray<string>) => void
  /** The question that a suggestion came of; without an id the latest. */
  readonly get: (id?: string) => SentQuestion | undefined
}

export const make = (): SentQuestions => {
  let kept: ReadonlyArray<Kept> = []
  return {
    add: (question) => {
      let characters = 0
      kept = [{ ...question, ids: [] }, ...kept].slice(0, mostQuestions).filter(({ json }, index) => {
        characters += json.length
        return index === 0 || characters <= mostCharacters
      })
    },
    answered: (ids) => kept[0]?.ids.push(...ids),
    get: (id) => (id === undefined ? kept[0] : kept.find(({ ids }) => ids.includes(id)))
  }
}

/** A tape that also hands on each question. */
export const watched = (tape: SessionTape, onQuestion: (json: string) => void): SessionTape => ({
  ...tape,
  wire: (direction, line, message, number) => {
    if (direction === "out" && Predicate.isObject(message) && message["method"] === "nes/suggest") onQuestion(line)
    tape.wire(direction, line, message, number)
  }
})
