/**
 * Suggestions for one workspace by one agent. Editors report their documents and ask; the desk decides what the agent
 * gets of it, and when. Each suggestion that an editor gets ends exactly once.
 */
import type { Suggestion } from "@signalbox/acp/NesSchema"
import type { Problem } from "@signalbox/contracts/Problem"
import type { SuggestingState } from "@signalbox/contracts/Suggestions"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import * as SubscriptionRef from "effect/SubscriptionRef"
import { relative } from "node:path"
import type { ProviderError } from "../base/ProviderError.ts"
import type { Recorder } from "../recording/Recorder.ts"
import type { AgentTally } from "../tally/SuggestionTally.ts"
import * as AgentReports from "./AgentReports.ts"
import * as ContextCollector from "./ContextCollector.ts"
import * as DeskRecorder from "./DeskRecorder.ts"
import { DocumentRefused } from "./Documents.ts"
import * as EditHistory from "./EditHistory.ts"
import * as OpenDocuments from "./OpenDocuments.ts"
import * as OpenSuggestions from "./OpenSuggestions.ts"
import * as RecentFiles from "./RecentFiles.ts"
import * as Sendable from "./Sendable.ts"
import * as SentQuestions from "./SentQuestions.ts"
import type { Question, SuggestionAnswer } from "./SuggestionAnswer.ts"
import * as SuggestionCache from "./SuggestionCache.ts"
import * as SuggestionCheck from "./SuggestionCheck.ts"
import * as SuggestionLane from "./SuggestionLane.ts"
import * as SuggestionProcess from "./SuggestionProcess.ts"
import type { SuggestionSource } from "./SuggestionSource.ts"
import * as UserActions from "./UserActions.ts"

export interface SuggestionDesk extends Pick<
  OpenDocuments.OpenDocuments,
  "all" | "change" | "close" | "diagnose" | "focus" | "get" | "open" | "save"
> {
  /** Starts the agent if it does not run. Only the latest question is answered by suggestions. */
  readonly suggest: (question: Question) => Effect.Effect<SuggestionAnswer, DocumentRefused | ProviderError>
  /** An editor has applied the suggestion. Returns whether it was open: if not, it has ended before. */
  readonly accept: (id: string) => Effect.Effect<boolean>
  /** A person has dismissed the suggestion (`rejected`), or went on without it (`ignored`). */
  readonly reject: (id: string, reason: "ignored" | "rejected") => Effect.Effect<boolean>
  /** Decides which files may be sent. */
  readonly sendable: Sendable.Sendable
  /** Records what happens here, from the documents that are open now until the scope closes. */
  readonly record: (recorder: Recorder) => Effect.Effect<void, never, Scope.Scope>
  /** Ends the agent, as if nobody had asked for a while. */
  readonly rest: Effect.Effect<void>
  /** A suggestion without an end. */
  readonly find: (id: string) => OpenSuggestions.OfferedSuggestion | undefined
  /** What was sent for a suggestion; without an id for the latest question. The latest ones are kept. */
  readonly sent: (id?: string) => SentQuestions.SentQuestion | undefined
  /** Questions from now on wait that many milliseconds for the next keystroke. */
  readonly debounce: (ms: number) => Effect.Effect<void>
  /** What the agent does: now, and after every change. */
  readonly states: Stream.Stream<DeskState>
  /** The agent's name and version; undefined while it does not run. */
  readonly agent: () => Pick<SuggestionSource, "name" | "version"> | undefined
}

export interface DeskState {
  readonly doing: SuggestingState
  readonly agent: Pick<SuggestionSource, "faultyRules" | "name" | "version"> | undefined
  /** The file in which it is recorded what people edit. */
  readonly recording: string | undefined
}

export interface Options {
  /** The folders of the workspace, absolute and without links. */
  readonly roots: ReadonlyArray<string>
  readonly sendable: Sendable.Sendable
  readonly start: Effect.Effect<SuggestionSource, ProviderError, Scope.Scope>
  /** Counts the answers, and each suggestion once. */
  readonly tally: AgentTally
  /** Milliseconds that a question waits for the next keystroke. */
  readonly debounceMs: number
  /** How long the agent is kept without a question. */
  readonly idle: Duration.Input
}

/** Closing the scope ends what is open as `ignored`, and then the agent. */
export const make = Effect.fn("SuggestionDesk.make")(function* (
  options: Options
): Effect.fn.Return<SuggestionDesk, never, Scope.Scope> {
  const { roots, sendable, tally } = options
  const history = EditHistory.make((uri) => nameOf(roots, uri))
  const actions = UserActions.make()
  const recent = RecentFiles.make()
  const open = OpenSuggestions.make()
  const cache = SuggestionCache.make()
  const sent = SentQuestions.make()
  /** An agent that does not read must not keep an editor waiting: its process is ended. */
  const reports = AgentReports.make((name) => Effect.andThen(process.drop, fails(isDeaf(name))))
  const { running } = reports
  const recording = DeskRecorder.make({
    documents: () => documents,
    running,
    onChange: Effect.suspend(() => SubscriptionRef.update(state, ({ doing }) => stateOf(doing)))
  })

  const stateOf = (doing: SuggestingState): DeskState => ({ doing, agent: running(), recording: recording.now()?.path })
  const state = yield* SubscriptionRef.make(stateOf({ type: "idle" }))
  const does = (doing: SuggestingState) => SubscriptionRef.set(state, stateOf(doing))
  const fails = (problem: Problem): Effect.Effect<void> =>
    Effect.flatMap(process.rest, (restMs) => does({ type: "failed", problem, restMs }))

  const counted = (ends: ReadonlyArray<OpenSuggestions.End>) => {
    for (const { reason } of ends) tally.ended(reason)
    return ends
  }

  const lane = yield* SuggestionLane.make(options.debounceMs)
  const documents = OpenDocuments.make({
    sendable,
    history,
    actions,
    recent,
    onChange: Effect.fnUntraced(function* ({ changes, uri, version }) {
      yield* lane.changed
      cache.drop(uri)
      const { ends, kept } = open.typed(uri, changes)
      // A question behind what was typed is answered by the rest.
      for (const { position, suggestion } of kept)
        cache.put({ uri, position, trigger: "automatic" }, { ...nothing, version, suggestions: [suggestion] })
      yield* reports.ended(counted(ends))
    }),
    onClose: Effect.fnUntraced(function* (uri) {
      yield* lane.changed
      cache.drop(uri)
      yield* reports.ended(counted(open.endAll("ignored", uri)))
    })
  })

  const process = yield* SuggestionProcess.make({
    start: options.start,
    idle: options.idle,
    onStart: Effect.fnUntraced(function* (source) {
      const gone = Effect.suspend(() => (reports.went(source) ? does({ type: "idle" }) : Effect.void))
      const follower = reports.followerOf(source)
      const follow = Effect.suspend(() => {
        reports.came(source)
        recording.now()?.started(source)
        return documents.follow(follower)
      })
      yield* Effect.acquireRelease(follow, () =>
        Effect.gen(function* () {
          yield* documents.unfollow(follower)
          yield* reports.ended(counted(open.endAll("ignored")))
          cache.drop()
          recording.now()?.left()
          yield* gone
        })
      )
      // One that has ended by itself gets no reports.
      const endedByItself = Effect.map(source.closed, () => reports.went(source))
      yield* Effect.forkScoped(endedByItself, { startImmediately: true })
    }),
    onEnd: fails
  })

  const end = (id: string, reason: "accepted" | "ignored" | "rejected"): Effect.Effect<boolean> =>
    Effect.suspend(() => {
      const ended = open.end(id, reason)
      if (ended === undefined) return Effect.succeed(false)
      recording.now()?.ended(id, reason)
      return Effect.as(reports.ended(counted([ended])), true)
    })

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

  /** Says how a question has ended. One that nobody waits for any more has not failed. */
  const told = <A>(question: Effect.Effect<A, ProviderError>) =>
    Effect.onExit(question, (exit) => {
      const failure = Exit.isFailure(exit) ? Cause.findErrorOption(exit.cause) : Option.none()
      return Option.match(failure, {
        // An agent that has ended after its answer has failed all the same.
        onNone: () =>
          SubscriptionRef.update(state, (now) =>
            running() === undefined && now.doing.type === "failed" ? now : stateOf({ type: "idle" })
          ),
        onSome: ({ problem }) => fails(problem)
      })
    })

  const asked = Effect.fnUntraced(
    function* (question: Question, version: number, isOvertaken: () => boolean) {
      const { position, selection, trigger, uri } = question
      if (running() === undefined) yield* does({ type: "starting" })
      const source = yield* process.get
      yield* does({ type: "asking" })
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
      const had = documents.all().filter((one) => one.withheld === undefined)
      const note = Effect.sync(() => {
        const json = source.sent()
        if (json === undefined) return
        const told = had.map(({ atMs, lines, uri, version }) => ({
          uri,
          version,
          bytes: Buffer.byteLength(lines.text),
          atMs
        }))
        sent.add({ agent: source.name, atMs: since, json, documents: told, tape: source.tape })
      })
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
          settled(question, version, { given, since, source, isOvertaken, recorded })
        )
      )
    },
    Effect.scoped,
    told
  )

  const settled = Effect.fnUntraced(function* (
    question: Question,
    version: number,
    { given, isOvertaken, recorded, since, source }: Given
  ) {
    const { uri } = question
    const refused = source.refused().map(SuggestionCheck.refused)
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
    const isThere = running() === source
    if (isThere)
      yield* reports.ended(leftOut.map(({ id }) => ({ agentId: id, reason: isLate ? "cancelled" : "ignored" })))
    if (isLate) return overtaken
    const { ends, offered } = open.take(uri, shown)
    sent.answered(offered.map(({ id }) => id))
    const answer = { ...nothing, version, suggestions: offered, dropped: [...refused, ...dropped], latencyMs }
    recorded?.({ type: "answered", latencyMs, suggestions: offered, refused: answer.dropped.length })
    if (isThere) cache.put(question, answer)
    // An agent that has ended after its answer hears nothing of what becomes of it, and no other one may.
    else counted(open.endAll("ignored", uri))
    yield* reports.ended(counted(ends))
    return answer
  })

  const suggest: SuggestionDesk["suggest"] = Effect.fn("SuggestionDesk.suggest")(function* (question) {
    const { uri } = question
    const document = documents.get(uri)
    if (document === undefined)
      return yield* new DocumentRefused({ uri, reason: "notOpen", message: `${uri} is not open.` })
    if (document.editor !== question.editor)
      return yield* new DocumentRefused({ uri, reason: "elsewhere", message: `Another editor has opened ${uri}.` })
    yield* documents.check
    const why = documents.get(uri)?.withheld
    if (why !== undefined) return { type: "withheld", why }
    const { isAtOnce = question.trigger === "manual" } = question
    const known = isAtOnce ? undefined : cache.get(question, document.version)
    if (known !== undefined) {
      const suggestions = known.suggestions.filter(({ id }) => open.isOpen(id))
      // What was dismissed here is not asked for again.
      return { ...known, suggestions, isKnown: true }
    }
    const forMs = isAtOnce ? 0 : yield* process.rest
    if (forMs > 0) return { type: "resting", forMs }
    const answer = yield* lane.ask((isOvertaken) => asked(question, document.version, isOvertaken), isAtOnce)
    return answer === SuggestionLane.overtaken ? overtaken : answer
  })

  return {
    open: documents.open,
    change: documents.change,
    close: documents.close,
    save: documents.save,
    focus: documents.focus,
    diagnose: (named, diagnostics) =>
      Effect.tap(documents.diagnose(named, diagnostics), () =>
        Effect.sync(() => {
          if (documents.get(named.uri)?.withheld === undefined) recording.now()?.diagnosed(named.uri, diagnostics)
        })
      ),
    get: documents.get,
    all: documents.all,
    suggest,
    accept: (id) => end(id, "accepted"),
    reject: end,
    sendable,
    record: recording.use,
    rest: process.end,
    find: open.get,
    sent: sent.get,
    debounce: lane.debounce,
    states: SubscriptionRef.changes(state),
    agent: running
  }
})

/** An answer of the agent. */
interface Given {
  readonly given: ReadonlyArray<Suggestion>
  readonly source: SuggestionSource
  /** When it was asked, in milliseconds since 1970. */
  readonly since: number
  readonly isOvertaken: () => boolean
  /** Takes the outcome for a recording. */
  readonly recorded: ReturnType<Recorder["asked"]> | undefined
}

const isDeaf = (name: string): Problem => ({
  code: "timed-out",
  title: `${name} was ended.`,
  cause: `It did not read what it was sent within ${AgentReports.readingLimit}.`,
  evidence: {},
  nextSteps: [{ action: "send-again", label: "Ask again, which starts it" }]
})

const overtaken: SuggestionAnswer = { type: "overtaken" }

const nothing = { type: "suggestions", suggestions: [], dropped: [], latencyMs: 0, isKnown: false } as const

/** The path of a file in its workspace, as diffs name it. */
const nameOf = (roots: ReadonlyArray<string>, uri: string): string => {
  const path = Sendable.pathOf(uri) ?? uri
  return roots.map((root) => relative(root, path)).find((name) => !name.startsWith("..")) ?? path
}
