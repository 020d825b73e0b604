/** What people hear from `signalbox nes lsp`: in the editor, and on standard error. */
import type { JsonRpcPeer } from "@signalbox/acp/JsonRpcPeer"
import * as Effect from "effect/Effect"
import type { LogMessageParams, ShowMessageParams } from "vscode-languageserver-protocol"
import { sentencesOf } from "@signalbox/contracts/Problem"
import type { ProviderError } from "../../base/ProviderError.ts"
import { oneLine } from "../../base/Plain.ts"
import { nextStepsInEditor } from "../terminal/NextSteps.ts"
import { problemShown } from "../terminal/ProblemText.ts"
import * as Terminal from "../terminal/Terminal.ts"

export interface LspNotices {
  /** Shows a problem once, until something has worked again. */
  readonly problem: (error: Pick<ProviderError, "problem">) => Effect.Effect<void>
  /** The agent has answered. */
  readonly worked: () => void
  /** Shows a message that is no problem. */
  readonly tell: (text: string) => Effect.Effect<void>
  /** Writes a line to the log of the editor, and the same line only once. */
  readonly note: (text: string) => Effect.Effect<void>
}

/** Characters of a message, and lines that are remembered. */
const longest = 1000
const mostNotes = 500

export const make = ({ notify }: Pick<JsonRpcPeer, "notify">): LspNotices => {
  let current: string | undefined
  const notes = new Set<string>()

  return {
    problem: ({ problem }) =>
      Effect.suspend(() => {
        const steps = nextStepsInEditor(problem)
        const sentences = [sentencesOf(problem), ...steps.slice(0, 1).map((step) => `Next: ${step}`)]
        const message = oneLine(sentences.join(" "), longest)
        if (message === current) return Effect.void
        current = message
        problemShown(problem, steps).forEach((line) => Terminal.err(line))
        const shown: ShowMessageParams = { type: 1, message }
        return Effect.ignore(notify("window/showMessage", shown))
      }),
    worked: () => {
      current = undefined
    },
    tell: (text) =>
      Effect.suspend(() => {
        const message = oneLine(text, longest)
        Terminal.err(message)
        const shown: ShowMessageParams = { type: 3, message }
        return Effect.ignore(notify("window/showMessage", shown))
      }),
    note: (text) =>
      Effect.suspend(() => {
        const message = oneLine(text, longest)
        if (notes.has(message) || notes.size >= mostNotes) return Effect.void
        notes.add(message)
        Terminal.err(message)
        const logged: LogMessageParams = { type: 3, message }
        return Effect.ignore(notify("window/logMessage", logged))
      })
  }
}
