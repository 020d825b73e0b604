/** Language servers: followed, and asked about files that this page edits. */
import type { DocumentReport, ReportsTaken } from "@signalbox/contracts/DocumentReport"
import type { ThreadId } from "@signalbox/contracts/Ids"
import type {
  HoverAnswer,
  LanguageFrame,
  LanguageQuestion,
  LanguageServerId,
  LocationsAnswer
} from "@signalbox/contracts/LanguageFeatures"
import type { Refused } from "@signalbox/contracts/Refused"
import * as Effect from "effect/Effect"
import { pageId } from "../browser/pageId.ts"
import { following, once } from "./calls.ts"
import { reportDefect } from "./link.ts"

/** Follows what language servers know of a thread's files until the signal ends it. Another connection begins with new frames. */
export const followLanguage = (
  threadId: ThreadId,
  onFrames: (frames: ReadonlyArray<LanguageFrame>) => void,
  onRefused: (refused: Refused) => void,
  signal: AbortSignal
): void => {
  const follow = following(
    (client) => client.watchLanguage({ threadId, page: pageId }),
    (frames) => onFrames(frames)
  ).pipe(Effect.catch((refused) => Effect.sync(() => onRefused(refused))))
  Effect.runFork(Effect.catchCause(follow, reportDefect), { signal })
}

/**
 * Reports what happened to documents, in order. Rejects with `Refused` or `Unanswered`: then nobody knows what was taken,
 * and each document is to be reported as `opened`.
 */
export const reportToLanguage = (threadId: ThreadId, reports: ReadonlyArray<DocumentReport>): Promise<ReportsTaken> =>
  Effect.runPromise(once((client) => client.reportToLanguage({ threadId, page: pageId, reports })))

/** Asks what stands at a place. Aborting the signal cancels the question. Rejects with `Refused` or `Unanswered`. */
export const hoverAt = (threadId: ThreadId, question: LanguageQuestion, signal: AbortSignal): Promise<HoverAnswer> =>
  Effect.runPromise(
    once((client) => client.hover({ threadId, page: pageId, ...question })),
    { signal }
  )

/** Asks where what stands at a place is defined, or used. Rejects with `Refused` or `Unanswered`. */
export const placesOf = (
  what: "definitions" | "references",
  threadId: ThreadId,
  question: LanguageQuestion,
  signal: AbortSignal
): Promise<LocationsAnswer> => {
  const asked = { threadId, page: pageId, ...question }
  return Effect.runPromise(
    once((client) => (what === "definitions" ? client.findDefinitions(asked) : client.findReferences(asked))),
    { signal }
  )
}

/** Turns a language server on or off for all threads. Rejects with `Refused` or `Unanswered`. */
export const turnLanguageServer = (id: LanguageServerId, on: boolean): Promise<void> =>
  Effect.runPromise(once((client) => client.turnLanguageServer({ id, on })))
