/**
 * Suggestions for one workspace by one agent. Editors report their documents and ask; the desk decides what the agent
 * gets of it, and when. Each suggestion that an editor gets ends exactly once.
 */
import type { SessionSetting, SettingValue } from "@signalbox/contracts/SessionSetting"
import { isWithin } from "@signalbox/contracts/Paths"
import type { Problem } from "@signalbox/contracts/Problem"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as SubscriptionRef from "effect/SubscriptionRef"
import { basename, relative } from "node:path"
import type { ProviderError } from "../base/ProviderError.ts"
import type { Recorder } from "../recording/Recorder.ts"
import type { AgentTally } from "../tally/SuggestionTally.ts"
import * as AgentReports from "./AgentReports.ts"
import * as AskedAgent from "./AskedAgent.ts"
import * as DeskRecorder from "./DeskRecorder.ts"
import * as DeskStates from "./DeskStates.ts"
import { DocumentRefused } from "./Documents.ts"
import * as EditHistory from "./EditHistory.ts"
import * as OpenDocuments from "./OpenDocuments.ts"
import * as OpenSuggestions from "./OpenSuggestions.ts"
import * as RecentFiles from "./RecentFiles.ts"
import * as Sendable from "./Sendable.ts"
import * as SentQuestions from "./SentQuestions.ts"
import type { Question, SuggestionAnswer } from "./SuggestionAnswer.ts"
import * as SuggestionCache from "./SuggestionCache.ts"
import * as SuggestionLane from "./SuggestionLane.ts"
import * as SuggestionProcess from "./SuggestionProcess.ts"
import * as SuggestionSettings from "./SuggestionSettings.ts"
import type { SuggestionSource } from "./SuggestionSource.ts"
import * as TakenAnswers from "./TakenAnswers.ts"
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
  /** Changes a setting of the agent's session, and of those after it. Starts the agent if it does not run. */
  readonly set: (settingId: string, value: SettingValue) => Effect.Effect<void, ProviderError>
  /** What was sent for a suggestion; without an id for the latest question. The latest ones are kept. */
  readonly sent: (id?: string) => SentQuestions.SentQuestion | undefined
  /** Questions from now on wait that many milliseconds for the next keystroke. */
  readonly debounce: (ms: number) => Effect.Effect<void>
  /** What the agent does: now, and after every change. */
  readonly states: Stream.Stream<DeskStates.DeskState>
  /** The agent's name and version; undefined while it does not run. */
  readonly agent: () => Pick<SuggestionSource, "name" | "version"> | undefined
}

export interface Options {
  /** The folders of the workspace, absolute and without links. */
  readonly roots: ReadonlyArray<string>
  /** The folders of the workspace as editors name them. Default: as they are without links. */
  readonly folders?: ReadonlyArray<string>
  readonly sendable: Sendable.Sendable
  readonly start: Effect.Effect<SuggestionSource, ProviderError, Scope.Scope>
  /** Counts the answers, and each suggestion once. */
  readonly tally: AgentTally
  /** Milliseconds that a question waits for the next keystroke. */
  readonly debounceMs: number
  /** How long the agent is kept without a question. */
  readonly idle: Duration.Input
  /** What people have chosen of the agent's settings. Default: it holds as long as the desk. */
  readonly chosen?: SuggestionSettings.ChosenSettings
}

/** Closing the scope ends what is open as `ignored`, and then the agent. */
export const make = Effect.fn("SuggestionDesk.make")(function* (
  options: Options
): Effect.fn.Return<SuggestionDesk, never, Scope.Scope> {
  const { chosen = SuggestionSettings.unremembered(), folders = [], roots, sendable, tally } = options
  let settings: ReadonlyArray<SessionSetting> = []
  const history = EditHistory.make((uri) => nameOf([...folders, ...roots], uri))
  const actions = UserActions.make()
  const recent = RecentFiles.make()
  const open = OpenSuggestions.make()
  const cache = SuggestionCache.make()
  const sent = SentQuestions.make()
  /** An agent that does not read must not keep an editor waiting: its process is ended. */
  const reports = AgentReports.make((name) => Effect.andThen(process.drop, states.fails(isDeaf(name))))
  const { running } = reports
  const recording = DeskRecorder.make({
    documents: () => documents,
    running,
    onChange: Effect.suspend(() => states.look)
  })
  const states: DeskStates.DeskStates = yield* DeskStates.make({
    rest: () => ({ agent: running(), recording: recording.now()?.path, settings, chosen: chosen.chosen() }),
    restMs: Effect.suspend(() => process.rest)
  })

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
        cache.put(
          { uri, position, trigger: "automatic" },
          { ...TakenAnswers.nothing, version, suggestions: [suggestion] }
        )
      yield* reports.ended(counted(ends))
    }),
    onClose: Effect.fnUntraced(function* (uri) {
      yield* lane.changed
      cache.drop(uri)
      yield* reports.ended(counted(open.endAll("ignored", uri)))
    })
  })

  /** The agent has other settings now, so it may answer otherwise. */
  const reported = (now: ReadonlyArray<SessionSetting>) =>
    Effect.suspend(() => {
      if (settings !== now) cache.drop()
      settings = now
      return states.look
    })

  const process = yield* SuggestionProcess.make({
    start: Effect.tap(options.start, (source) => chosen.begin(settableOf(source))),
    idle: options.idle,
    onStart: Effect.fnUntraced(function* (source) {
      const gone = Effect.suspend(() => (reports.went(source) ? states.does({ type: "idle" }) : Effect.void))
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
      yield* Effect.forkScoped(Stream.runForEach(SubscriptionRef.changes(source.settings), reported))
    }),
    // One that has ended by itself gets no reports, and its end is what people read last of it.
    onEnd: (source, why) =>
      Effect.suspend(() => {
        reports.went(source)
        return states.fails(why)
      })
  })

  const end = (id: string, reason: "accepted" | "ignored" | "rejected"): Effect.Effect<boolean> =>
    Effect.suspend(() => {
      const ended = open.end(id, reason)
      if (ended === undefined) return Effect.succeed(false)
      recording.now()?.ended(id, reason)
      return Effect.as(reports.ended(counted([ended])), true)
    })

  const set: SuggestionDesk["set"] = Effect.fn("SuggestionDesk.set")(function* (settingId, value) {
    const source = yield* process.get
    yield* SuggestionSettings.set(source.name, settableOf(source), settingId, value)
    yield* chosen.chose(settingId, value).pipe(Effect.ensuring(reported(SubscriptionRef.getUnsafe(source.settings))))
  }, Effect.scoped)

  const taken = TakenAnswers.make({ documents, sendable, open, cache, sent, reports, tally, counted })
  const asked = AskedAgent.make({
    documents,
    history,
    actions,
    recent,
    sendable,
    recording,
    sent,
    states,
    taken,
    tally,
    running,
    start: process.get
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
    return answer === SuggestionLane.overtaken ? TakenAnswers.overtaken : answer
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
    set,
    sent: sent.get,
    debounce: lane.debounce,
    states: states.changes,
    agent: running
  }
})

const settableOf = ({ setSetting, settings }: SuggestionSource): SuggestionSettings.Settable => ({
  current: () => SubscriptionRef.getUnsafe(settings),
  set: setSetting
})

const isDeaf = (name: string): Problem => ({
  code: "timed-out",
  title: `${name} was ended.`,
  cause: `It did not read what it was sent within ${AgentReports.readingLimit}.`,
  evidence: {},
  nextSteps: [{ action: "send-again", label: "Ask again, which starts it" }]
})

/** The path of a file in its workspace, as diffs name it. */
const nameOf = (roots: ReadonlyArray<string>, uri: string): string => {
  const path = Sendable.pathOf(uri) ?? uri
  return roots.flatMap((root) => (isWithin(root, path) ? [relative(root, path)] : [])).at(0) ?? basename(path)
}
