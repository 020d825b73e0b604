/** Puts questions for suggestions to the agent of a desk, each with what the agent may know of the documents. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Scope from "effect/Scope"
import * as SubscriptionRef from "effect/SubscriptionRef"
import type { ProviderError } from "../base/ProviderError.ts"
import type { AgentTally } from "../tally/SuggestionTally.ts"
import * as ContextCollector from "./ContextCollector.ts"
import type { DeskRecorder } from "./DeskRecorder.ts"
import type { DeskStates } from "./DeskStates.ts"
import type { EditHistory } from "./EditHistory.ts"
import type { OpenDocuments } from "./OpenDocuments.ts"
import type { RecentFiles } from "./RecentFiles.ts"
import type { Sendable } from "./Sendable.ts"
import type { SentQuestions } from "./SentQuestions.ts"
import type { Question, SuggestionAnswer } from "./SuggestionAnswer.ts"
import type { SuggestionSource } from "./SuggestionSource.ts"
import { overtaken, type TakenAnswers } from "./TakenAnswers.ts"
import type { UserActions } from "./UserActions.ts"

export interface Options {
  readonly documents: Pick<OpenDocuments, "all" | "get">
  readonly history: EditHistory
  readonly actions: UserActions
  readonly recent: RecentFiles
  readonly sendable: Sendable
  readonly recording: Pick<DeskRecorder, "now" | "reading">
  readonly sent: Pick<SentQuestions, "add">
  readonly states: Pick<DeskStates, "does" | "told">
  readonly taken: TakenAnswers
  readonly tally: Pick<AgentTally, "unanswered">
  /** The agent that runs. */
  readonly running: () => SuggestionSource | undefined
  /** The agent, which starts if it does not run. */
  readonly start: Effect.Effect<SuggestionSource, ProviderError, Scope.Scope>
}

/** Asks about a version of a document. `isOvertaken`: whether an answer is of no use any more. */
export type AskedAgent = (
  question: Question,
  version: number,
  isOvertaken: () => boolean
) => Effect.Effect<SuggestionAnswer, ProviderError>

export const make = ({
  actions,
  documents,
  history,
  recent,
  recording,
  running,
  sendable,
  sent,
  start,
  states,
  taken,
  tally
}: Options): AskedAgent => {
  /** Keeps what has left for the question, with the documents that the agent has now. */
  const noteOf = (source: SuggestionSource, atMs: number): Effect.Effect<void> => {
    const had = documents.all().filter((one) => one.withheld === undefined)
    return Effect.sync(() => {
      const json = source.sent()
      if (json === undefined) return
      const told = had.map(({ atMs, lines, uri, version }) => ({
        uri,
        version,
        bytes: Buffer.byteLength(lines.text),
        atMs
      }))
      sent.add({ agent: source.name, atMs, json, documents: told, tape: source.tape })
    })
  }

  return Effect.fnUntraced(
    function* (question: Question, version: number, isOvertaken: () => boolean) {
      const { position, selection, trigger, uri } = question
      if (running() === undefined) yield* states.does({ type: "starting" })
      const source = yield* start
      yield* states.does({ type: "asking" })
      const document = documents.get(uri)
      if (document === undefined || document.version !== version) return overtaken
      const context = yield* ContextCollector.collect(document, position.line, {
        documents: documents.all,
        history,
        actions,
        recent,
        sendable: recording.reading(sendable)
      })
      // The session asks about the latest version that it has, so nothing may come between.
      if (documents.get(uri)?.version !== version) return overtaken
      const since = yield* Clock.currentTimeMillis
      const asked = { uri, version, position, trigger, ...(selection !== undefined && { selection }) }
      const recorded = recording.now()?.asked(asked)
      const note = noteOf(source, since)
      const settings = SubscriptionRef.getUnsafe(source.settings)
      const request = source.suggest({
        uri,
        position,
        ...(selection !== undefined && { selection }),
        triggerKind: trigger,
        context
      })
      const unanswered = (exit: Exit.Exit<unknown, unknown>) =>
        Effect.sync(() => {
          if (Exit.isSuccess(exit)) return
          const why = Exit.hasInterrupts(exit) ? "overtaken" : "failed"
          tally.unanswered(why)
          recorded?.({ type: "unanswered", why })
        })
      const answer = Effect.ensuring(Effect.onExit(request, unanswered), note)
      // What the agent has answered gets its end, also if nobody waits for it any more.
      return yield* Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(restore(answer), (given) =>
          taken(question, version, { given, since, source, settings, isOvertaken, recorded })
        )
      )
    },
    Effect.scoped,
    states.told
  )
}
