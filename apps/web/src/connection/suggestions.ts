/** Suggestions of the next edit: watched, asked for and ended from the page. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import type { Refused } from "@signalbox/contracts/Refused"
import type { SettingValue } from "@signalbox/contracts/SessionSetting"
import type { DocumentReport, ReportsTaken } from "@signalbox/contracts/DocumentReport"
import type {
  SuggestedPlaces,
  SuggestionAnswer,
  SuggestionEnd,
  SuggestionQuestion,
  SuggestionSent,
  SuggestionsFrame
} from "@signalbox/contracts/Suggestions"
import * as Effect from "effect/Effect"
import { pageId } from "../browser/pageId.ts"
import { following, once } from "./calls.ts"
import { reportDefect } from "./link.ts"

/** Watches the suggestions for files of a thread until the signal ends it. Another connection begins with new frames. */
export const followSuggestions = (
  threadId: ThreadId,
  onFrames: (frames: ReadonlyArray<SuggestionsFrame>) => void,
  onRefused: (refused: Refused) => void,
  signal: AbortSignal
): void => {
  const follow = following(
    (client) => client.watchSuggestions({ threadId, page: pageId }),
    (frames) => onFrames(frames)
  ).pipe(Effect.catch((refused) => Effect.sync(() => onRefused(refused))))
  Effect.runFork(Effect.catchCause(follow, reportDefect), { signal })
}

/**
 * Reports what happened to documents, in order. Rejects with `Refused` or `Unanswered`: then nobody knows what was taken,
 * and each document is to be reported as `opened`.
 */
export const reportDocuments = (
  threadId: ThreadId,
  reports: ReadonlyArray<DocumentReport>,
  signal?: AbortSignal
): Promise<ReportsTaken> =>
  Effect.runPromise(
    once((client) => client.reportDocuments({ threadId, page: pageId, reports })),
    { signal }
  )

/** Asks for suggestions. Aborting the signal cancels the question. Rejects with `Refused` or `Unanswered`. */
export const suggestEdits = (
  threadId: ThreadId,
  question: SuggestionQuestion,
  signal?: AbortSignal
): Promise<SuggestionAnswer> =>
  Effect.runPromise(
    once((client) => client.suggestEdits({ threadId, page: pageId, ...question })),
    { signal }
  )

/** Ends a suggestion. Answers whether it was open. Rejects with `Refused` or `Unanswered`. */
export const endSuggestion = (
  threadId: ThreadId,
  id: string,
  end: SuggestionEnd
): Promise<{ readonly wasOpen: boolean }> =>
  Effect.runPromise(once((client) => client.endSuggestion({ threadId, page: pageId, id, end })))

/** Changes a setting of the agent, once it has confirmed it. Rejects with `Refused` or `Unanswered`. */
export const setSuggestionSetting = (threadId: ThreadId, settingId: string, value: SettingValue): Promise<void> =>
  Effect.runPromise(once((client) => client.setSuggestionSetting({ threadId, page: pageId, settingId, value })))

/** Turns suggestions off or on for all pages of the server. Rejects with `Refused` or `Unanswered`. */
export const turnSuggestions = (on: boolean): Promise<void> =>
  Effect.runPromise(once((client) => client.turnSuggestions({ on })))

/** The places that an open suggestion is about. Rejects with `Refused` or `Unanswered`. */
export const suggestionPlaces = (threadId: ThreadId, id: string, signal?: AbortSignal): Promise<SuggestedPlaces> =>
  Effect.runPromise(
    once((client) => client.suggestionPlaces({ threadId, page: pageId, id })),
    { signal }
  )

/** What was sent for a suggestion, or for the latest question. Rejects with `Refused` or `Unanswered`. */
export const suggestionSent = (threadId: ThreadId, id?: string, signal?: AbortSignal): Promise<SuggestionSent> =>
  Effect.runPromise(
    once((client) => client.suggestionSent({ threadId, page: pageId, ...(id !== undefined && { id }) })),
    { signal }
  )
