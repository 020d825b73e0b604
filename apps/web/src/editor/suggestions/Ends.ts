/** How suggestions end, as the server hears it. What has ended is heard before the change of the text that ended it. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import type { SuggestionEnd } from "@signalbox/contracts/Suggestions"
import { endSuggestion } from "../../connection/suggestions.ts"

export interface Ends {
  readonly end: (id: string, how: SuggestionEnd) => void
  /** Fulfilled when the server has heard of all that have ended so far. */
  readonly heard: () => Promise<unknown>
}

export const make = (threadId: ThreadId): Ends => {
  let ends: Promise<unknown> = Promise.resolve()
  return {
    end: (id, how) => {
      const ended = endSuggestion(threadId, id, how).catch(() => {
        // Without an answer, the suggestion has ended with its connection.
      })
      ends = Promise.all([ends, ended])
    },
    heard: () => ends
  }
}
