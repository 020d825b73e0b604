/** The latest answers, by document, version and position. An answer counts until its document changes. */
import type { Question, SuggestionAnswer } from "./SuggestionAnswer.ts"

type Given = Extract<SuggestionAnswer, { readonly type: "suggestions" }>

/** Most answers that are kept. */
const mostAnswers = 32

export interface SuggestionCache {
  readonly get: (question: Question, version: number) => Given | undefined
  readonly put: (question: Question, answer: Given) => void
  /** Forgets the answers for a document, or all of them. */
  readonly drop: (uri?: string) => void
}

export const make = (): SuggestionCache => {
  const answers = new Map<string, { readonly uri: string; readonly answer: Given }>()
  const keyOf = ({ position, selection, uri }: Question, version: number): string =>
    JSON.stringify([uri, version, position.line, position.character, selection ?? null])
  return {
    get: (question, version) => answers.get(keyOf(question, version))?.answer,
    put: (question, answer) => {
      const key = keyOf(question, answer.version)
      answers.delete(key)
      answers.set(key, { uri: question.uri, answer })
      for (const oldest of answers.keys()) {
        if (answers.size <= mostAnswers) break
        answers.delete(oldest)
      }
    },
    drop: (uri) => {
      for (const [key, entry] of answers) if (uri === undefined || entry.uri === uri) answers.delete(key)
    }
  }
}
