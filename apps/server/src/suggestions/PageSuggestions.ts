/** Suggestions by the agent of the settings. Pages of threads get them, and editors that have a folder open. */
import { ProviderId } from "@signalbox/contracts/Provider"
import { Refused } from "@signalbox/contracts/Refused"
import type { ThreadFrame } from "@signalbox/contracts/ThreadFrame"
import type { SettingValue } from "@signalbox/contracts/SessionSetting"
import type { DocumentReport, ReportsTaken } from "@signalbox/contracts/DocumentReport"
import type {
  SuggestedPlaces,
  SuggestionAnswer,
  SuggestionEnd,
  SuggestionPage,
  SuggestionQuestion,
  SuggestionSent,
  SuggestionsFrame
} from "@signalbox/contracts/Suggestions"
import { sentencesOf } from "@signalbox/contracts/Problem"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { Editing } from "../editing/Editing.ts"
import type { SuggestionPlace } from "../editing/SuggestionPlace.ts"
import { LanguageWorkspaces } from "../language/LanguageWorkspaces.ts"
import { ProviderCatalog } from "../provider/Services/ProviderCatalog.ts"
import { SignedIn } from "../provider/Services/SignedIn.ts"
import { SettingsFile } from "../settings/SettingsFile.ts"
import type { SettingsReading } from "../settings/SettingsText.ts"
import { SuggestionTally } from "../tally/SuggestionTally.ts"
import * as AgentEdits from "./AgentEdits.ts"
import * as DeskFrames from "./DeskFrames.ts"
import * as PageVisit from "./PageVisit.ts"
import * as RenamedPlaces from "./RenamedPlaces.ts"
import * as ServerDiagnostics from "./ServerDiagnostics.ts"
import * as SuggestedPlaceList from "./SuggestedPlaceList.ts"

export class PageSuggestions extends Context.Service<
  PageSuggestions,
  {
    /** Makes suggestions for a page as long as the stream runs. `thread`: what happens in its thread, if it has one. */
    readonly watch: (
      page: SuggestionPage & { readonly folder: string; readonly thread?: Stream.Stream<ThreadFrame, Refused> }
    ) => Stream.Stream<SuggestionsFrame, Refused>
    readonly report: (
      page: SuggestionPage,
      reports: ReadonlyArray<DocumentReport>
    ) => Effect.Effect<ReportsTaken, Refused>
    readonly suggest: (page: SuggestionPage, question: SuggestionQuestion) => Effect.Effect<SuggestionAnswer, Refused>
    /** Returns whether it was open. */
    readonly end: (page: SuggestionPage, id: string, end: SuggestionEnd) => Effect.Effect<boolean, Refused>
    /** Changes a setting of the agent, for all pages with the same agent and folder. */
    readonly set: (page: SuggestionPage, settingId: string, value: SettingValue) => Effect.Effect<void, Refused>
    /** Turns suggestions off or on for all pages, by the settings. */
    readonly turn: (on: boolean) => Effect.Effect<void, Refused>
    readonly places: (page: SuggestionPage, id: string) => Effect.Effect<SuggestedPlaces, Refused>
    readonly sent: (page: SuggestionPage, id?: string) => Effect.Effect<SuggestionSent, Refused>
  }
>()("@signalbox/server/suggestions/PageSuggestions") {}

/** Who is asked: a place with its words for people, or why nobody is. */
type Asked =
  | { readonly type: "on"; readonly place: SuggestionPlace }
  | Extract<SuggestionsFrame, { readonly type: "off" }>

const noProvider: Asked = {
  type: "off",
  why: 'No agent for suggestions is chosen. The settings name it: "suggestions": {"provider": NAME}.'
}

const make = Effect.gen(function* () {
  const editing = yield* Editing
  const catalog = yield* ProviderCatalog
  const settings = yield* SettingsFile
  const signedIn = yield* SignedIn
  const language = yield* LanguageWorkspaces
  const tally = yield* SuggestionTally
  const visits = new Map<string, PageVisit.PageVisit>()

  const visitOf = (page: SuggestionPage) =>
    Effect.suspend(() => {
      const visit = visits.get(keyOf(page))
      return visit === undefined ? Effect.fail(notWatching) : Effect.succeed(visit)
    })

  /** The name of an agent for people. */
  const nameOf = (id: string) =>
    Effect.match(catalog.get(ProviderId.make(id)), { onFailure: () => id, onSuccess: ({ provider }) => provider.name })

  const askedIn = (folder: string, { settings: { suggestions } }: SettingsReading): Effect.Effect<Asked> => {
    if (suggestions?.provider === undefined) return Effect.succeed(noProvider)
    if (suggestions.off === true) return Effect.map(nameOf(suggestions.provider), turnedOff)
    return Effect.match(catalog.get(ProviderId.make(suggestions.provider)), {
      onFailure: ({ problem }): Asked => ({ type: "off", why: sentencesOf(problem), problem }),
      onSuccess: ({ options, provider }): Asked => ({
        type: "on",
        place: { provider, providerOptions: options, roots: [folder] }
      })
    })
  }

  /** What a page sees of one agent, as long as that is the one. */
  const at = (visit: PageVisit.PageVisit, asked: Asked): Stream.Stream<SuggestionsFrame> => {
    if (asked.type === "off") return Stream.unwrap(Effect.as(visit.leave(asked.why), Stream.make(asked)))
    const { place } = asked
    return Stream.unwrap(
      Effect.gen(function* () {
        const desk = yield* editing.desk(place)
        yield* Effect.acquireRelease(
          Effect.sync(() => visit.sitAt(desk)),
          () => visit.leave("Another agent for suggestions is chosen at the moment.")
        )
        const states = DeskFrames.of(place, desk, settings.changes, tally.today(place.provider))
        const signIns = signedIn.changes.pipe(
          Stream.filter((id) => id === place.provider.id),
          Stream.map((): SuggestionsFrame => ({ type: "signedIn" }))
        )
        return Stream.merge(states, signIns, { haltStrategy: "left" })
      })
    )
  }

  return PageSuggestions.of({
    watch: ({ folder, thread = Stream.never, ...page }) =>
      Stream.unwrap(
        Effect.gen(function* () {
          const key = keyOf(page)
          const visit = PageVisit.make(folder)
          yield* Effect.acquireRelease(
            Effect.sync(() => visits.set(key, visit)),
            () =>
              Effect.andThen(
                visit.leave("The page has gone."),
                Effect.sync(() => {
                  if (visits.get(key) === visit) visits.delete(key)
                })
              )
          )
          const agents = settings.changes.pipe(
            Stream.mapEffect((reading) => askedIn(folder, reading)),
            Stream.changesWith(isSame),
            Stream.switchMap((asked) => at(visit, asked))
          )
          return Stream.merge(
            Stream.merge(agents, ServerDiagnostics.bring(visit, language), { haltStrategy: "left" }),
            pauses(visit, thread),
            { haltStrategy: "either" }
          )
        })
      ),
    report: (page, reports) => Effect.flatMap(visitOf(page), (visit) => visit.report(reports)),
    suggest: (page, question) => Effect.flatMap(visitOf(page), (visit) => visit.suggest(question)),
    end: (page, id, end) => Effect.flatMap(visitOf(page), (visit) => visit.end(id, end)),
    set: Effect.fn("PageSuggestions.set")(function* (page, settingId, value) {
      const visit = yield* visitOf(page)
      const desk = visit.desk()
      if (desk === undefined) return yield* nobody
      yield* Effect.mapError(desk.set(settingId, value), ({ problem }) => new Refused({ problem }))
    }),
    turn: Effect.fn("PageSuggestions.turn")(function* (on) {
      const { settings: now } = yield* settings.read
      if (now.suggestions?.provider === undefined) return yield* notNamed
      yield* settings.put("suggestions", "off", on ? undefined : true)
    }),
    places: Effect.fn("PageSuggestions.places")(function* (page, id) {
      const visit = yield* visitOf(page)
      const desk = visit.desk()
      const suggestion = desk?.find(id)
      if (desk === undefined || suggestion === undefined) return yield* over
      if (suggestion.kind !== "rename") return yield* SuggestedPlaceList.of(suggestion, desk, visit.paths)
      const { servers } = yield* language.now
      return yield* RenamedPlaces.of(suggestion, { desk, paths: visit.paths, servers }).pipe(
        Effect.catch((why) => SuggestedPlaceList.of(suggestion, desk, visit.paths, why))
      )
    }),
    sent: Effect.fn("PageSuggestions.sent")(function* (page, id) {
      const visit = yield* visitOf(page)
      const question = visit.desk()?.sent(id)
      if (question === undefined) return yield* notKept
      const { agent, atMs, documents, json, tape } = question
      return {
        agent,
        at: atMs,
        json,
        documents: documents.map(({ atMs: at, bytes, uri, version }) => ({
          path: visit.paths.pathOf(uri),
          version,
          bytes,
          at
        })),
        ...(tape !== undefined && { tape })
      }
    })
  })
})

const keyOf = ({ page, threadId }: SuggestionPage): string => JSON.stringify([threadId ?? null, page])

const turnedOff = (name: string): Asked => ({
  type: "off",
  why: `Suggestions by ${name} are turned off, in all pages. The settings say so: "suggestions": {"off": true}.`,
  turnedOff: name
})

/** Whether the same is asked in the same way. */
const isSame = (one: Asked, other: Asked): boolean => JSON.stringify(one) === JSON.stringify(other)

/** The files that the thread's agent edits, as they come and go. */
const pauses = (
  visit: PageVisit.PageVisit,
  thread: Stream.Stream<ThreadFrame, Refused>
): Stream.Stream<SuggestionsFrame, Refused> =>
  thread.pipe(
    Stream.scan(
      () => AgentEdits.none,
      (edits, frame) => AgentEdits.step(edits, frame, visit.folder)
    ),
    Stream.changesWith((one, other) => one === other),
    Stream.map(AgentEdits.pathsOf),
    Stream.mapAccum(
      (): ReadonlySet<string> => new Set(),
      (before, now) => {
        visit.pause(now)
        const frame = (path: string, isPaused: boolean): SuggestionsFrame => ({
          type: "paused",
          path: visit.paths.named(path),
          isPaused
        })
        return [
          now,
          [
            ...[...now].flatMap((path) => (before.has(path) ? [] : [frame(path, true)])),
            ...[...before].flatMap((path) => (now.has(path) ? [] : [frame(path, false)]))
          ]
        ]
      }
    )
  )

const refused = (title: string, cause: string, label: string): Refused =>
  new Refused({
    problem: { code: "request-closed", title, cause, evidence: {}, nextSteps: [{ action: "send-again", label }] }
  })

const notWatching = refused(
  "No suggestions are made for this page.",
  "The server does not know the page any more, such as after a restart.",
  "Wait until the page is connected again, or reload it"
)

const nobody = refused(
  "The setting was not changed.",
  "Nobody makes suggestions for this page at the moment.",
  "Choose an agent for suggestions in the settings"
)

const notNamed = refused(
  "Suggestions were not turned off or on.",
  "The settings name no agent for suggestions.",
  'Name one in the settings: "suggestions": {"provider": NAME}'
)

const over = refused(
  "The suggestion is over.",
  "It was accepted or dismissed, or the text has changed since.",
  "Ask for suggestions again"
)

const notKept = refused(
  "What was sent is not kept any more.",
  "The latest 20 questions are kept, as long as their agent is in use.",
  "Ask for suggestions again"
)

export const layer = Layer.effect(PageSuggestions, make)
