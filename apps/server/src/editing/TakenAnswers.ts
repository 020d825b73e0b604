/**
 * Takes the answers of the agent. What can be shown is open then, and everything else ends at once: counted, recorded,
 * and reported to the agent.
 */
import type { Suggestion } from "@signalbox/acp/NesSchema"
import type { SessionSetting } from "@signalbox/contracts/SessionSetting"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as SubscriptionRef from "effect/SubscriptionRef"
import type { Recorder } from "../recording/Recorder.ts"
import type { AgentTally } from "../tally/SuggestionTally.ts"
import type { AgentReports } from "./AgentReports.ts"
import type { OpenDocuments } from "./OpenDocuments.ts"
import type { End, OpenSuggestions } from "./OpenSuggestions.ts"
import type { Sendable } from "./Sendable.ts"
import type { SentQuestions } from "./SentQuestions.ts"
import type { Question, SuggestionAnswer } from "./SuggestionAnswer.ts"
import type { SuggestionCache } from "./SuggestionCache.ts"
import * as SuggestionCheck from "./SuggestionCheck.ts"
import type { SuggestionSource } from "./SuggestionSource.ts"

/** An answer of the agent. */
export interface Given {
  readonly given: ReadonlyArray<Suggestion>
  readonly source: SuggestionSource
  /** The agent's settings when it was asked. */
  readonly settings: ReadonlyArray<SessionSetting>
  /** When it was asked, in milliseconds since 1970. */
  readonly since: number
  readonly isOvertaken: () => boolean
  /** Takes the outcome for a recording. */
  readonly recorded: ReturnType<Recorder["asked"]> | undefined
}

export interface Options {
  readonly documents: Pick<OpenDocuments, "get">
  readonly sendable: Pick<Sendable, "ofAll">
  readonly open: Pick<OpenSuggestions, "endAll" | "take">
  readonly cache: Pick<SuggestionCache, "put">
  readonly sent: Pick<SentQuestions, "answered">
  readonly reports: Pick<AgentReports, "ended" | "running">
  readonly tally: AgentTally
  /** Counts ends, and returns them. */
  readonly counted: (ends: ReadonlyArray<End>) => ReadonlyArray<End>
}

/** Takes an answer to a question about a version of a document. */
export type TakenAnswers = (question: Question, version: number, answer: Given) => Effect.Effect<SuggestionAnswer>

export const overtaken: SuggestionAnswer = { type: "overtaken" }

/** An answer without suggestions, but for its version. */
export const nothing = {
  type: "suggestions",
  suggestions: [],
  dropped: [],
  unnamed: 0,
  latencyMs: 0,
  isKnown: false
} as const

export const make = ({ cache, counted, documents, open, reports, sendable, sent, tally }: Options): TakenAnswers => {
  const targets = Effect.fnUntraced(function* (uris: ReadonlyArray<string>) {
    const verdicts = yield* sendable.ofAll(uris)
    return (uri: string): SuggestionCheck.Target => {
      const verdict = verdicts.get(uri)
      return {
        withheld: verdict?.type === "withheld" ? verdict.why : undefined,
        lines: documents.get(uri)?.lines
      }
    }
  })

  return Effect.fnUntraced(function* (
    question: Question,
    version: number,
    { given, isOvertaken, recorded, settings, since, source }: Given
  ) {
    const { uri } = question
    const refused = source.refused().map(SuggestionCheck.refused)
    const unnamed = source.unnamed()
    const latencyMs = (yield* Clock.currentTimeMillis) - since
    const targetOf = yield* targets(given.map((suggestion) => suggestion.uri))
    const { dropped, shown } = SuggestionCheck.check(given, targetOf)
    const isLate = isOvertaken() || documents.get(uri)?.version !== version
    const leftOut = given.filter((suggestion) => isLate || !shown.includes(suggestion))
    if (isLate) {
      tally.unanswered("overtaken")
      recorded?.({ type: "unanswered", why: "overtaken" })
      for (const _ of given) tally.ended("cancelled")
    } else {
      tally.answered(latencyMs)
      for (const { reason } of dropped) tally.refused(reason)
    }
    const isThere = reports.running() === source
    if (isThere)
      yield* reports.ended(leftOut.map(({ id }) => ({ agentId: id, reason: isLate ? "cancelled" : "ignored" })))
    if (isLate) return overtaken
    const { ends, offered } = open.take(uri, shown)
    sent.answered(offered.map(({ id }) => id))
    const answer = { ...nothing, version, suggestions: offered, dropped: [...refused, ...dropped], unnamed, latencyMs }
    recorded?.({ type: "answered", latencyMs, suggestions: offered, refused: answer.dropped.length })
    // With other settings it may answer otherwise.
    if (isThere && SubscriptionRef.getUnsafe(source.settings) === settings) cache.put(question, answer)
    // An agent that has ended after its answer hears nothing of what becomes of it, and no other one may.
    if (!isThere) counted(open.endAll("ignored", uri))
    yield* reports.ended(counted(ends))
    return answer
  })
}
