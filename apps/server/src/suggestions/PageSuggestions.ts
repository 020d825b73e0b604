/** Suggestions for pages that edit files of threads, by the agent that the settings name. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import { ProviderId } from "@signalbox/contracts/Provider"
import { Refused } from "@signalbox/contracts/Refused"
import type { ThreadFrame } from "@signalbox/contracts/Rpc"
import { defaultDebounceMs } from "@signalbox/contracts/Settings"
import type {
  DocumentReport,
  ReportsTaken,
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
import type { DeskState } from "../editing/SuggestionDesk.ts"
import type { SuggestionPlace } from "../editing/SuggestionPlace.ts"
import { ProviderCatalog } from "../provider/Services/ProviderCatalog.ts"
import { SettingsFile } from "../settings/SettingsFile.ts"
import type { SettingsReading } from "../settings/SettingsText.ts"
import * as AgentEdits from "./AgentEdits.ts"
import * as PageVisit from "./PageVisit.ts"
import * as SuggestedPlaceList from "./SuggestedPlaceList.ts"

export class PageSuggestions extends Context.Service<
  PageSuggestions,
  {
    /** Makes suggestions for a page as long as the stream runs. `thread`: what happens in its thread. */
    readonly watch: (
      page: SuggestionPage & { readonly folder: string; readonly thread: Stream.Stream<ThreadFrame, Refused> }
    ) => Stream.Stream<SuggestionsFrame, Refused>
    readonly report: (
      page: SuggestionPage,
      reports: ReadonlyArray<DocumentReport>
    ) => Effect.Effect<ReportsTaken, Refused>
    readonly suggest: (page: SuggestionPage, question: SuggestionQuestion) => Effect.Effect<SuggestionAnswer, Refused>
    /** Returns whether it was open. */
    readonly end: (page: SuggestionPage, id: string, end: SuggestionEnd) => Effect.Effect<boolean, Refused>
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
  const visits = new Map<string, PageVisit.PageVisit>()

  const visitOf = (page: SuggestionPage) =>
    Effect.suspend(() => {
      const visit = visits.get(keyOf(page))
      return visit === undefined ? Effect.fail(notWatching) : Effect.succeed(visit)
    })

  const askedIn = (folder: string, { settings: { suggestions } }: SettingsReading): Effect.Effect<Asked> => {
    if (suggestions?.provider === undefined) return Effect.succeed(noProvider)
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
        const name = crypto.randomUUID()
        const debounced = debounces(settings.changes).pipe(Stream.tap((debounceMs) => desk.debounce(debounceMs)))
        return Stream.zipLatest(debounced, desk.states).pipe(
          Stream.map(([debounceMs, state]) => framesOf(place, name, debounceMs, state)),
          onlyNews,
          Stream.flattenIterable
        )
      })
    )
  }

  return PageSuggestions.of({
    watch: ({ folder, thread, ...page }) =>
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
          return Stream.merge(agents, pauses(visit, thread), { haltStrategy: "either" })
        })
      ),
    report: (page, reports) => Effect.flatMap(visitOf(page), (visit) => visit.report(reports)),
    suggest: (page, question) => Effect.flatMap(visitOf(page), (visit) => visit.suggest(question)),
    end: (page, id, end) => Effect.flatMap(visitOf(page), (visit) => visit.end(id, end)),
    places: Effect.fn("PageSuggestions.places")(function* (page, id) {
      const visit = yield* visitOf(page)
      const desk = visit.desk()
      const suggestion = desk?.find(id)
      if (desk === undefined || suggestion === undefined) return yield* over
      return yield* SuggestedPlaceList.of(suggestion, desk, visit.paths)
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

const keyOf = ({ page, threadId }: SuggestionPage): string => JSON.stringify([threadId satisfies ThreadId, page])

/** Whether the same is asked in the same way. */
const isSame = (one: Asked, other: Asked): boolean => JSON.stringify(one) === JSON.stringify(other)

const debounces = (changes: Stream.Stream<SettingsReading>): Stream.Stream<number> =>
  Stream.changes(Stream.map(changes, ({ settings: { suggestions } }) => suggestions?.debounce ?? defaultDebounceMs))

/** All that a page may know of a desk. */
const framesOf = (
  { provider: { id, name } }: SuggestionPlace,
  desk: string,
  debounceMs: number,
  { agent, doing, recording }: DeskState
): ReadonlyArray<SuggestionsFrame> => [
  {
    type: "on",
    desk,
    agent: { id, name: agent?.name ?? name, ...(agent?.version !== undefined && { version: agent.version }) },
    debounceMs,
    ...(recording !== undefined && { recording })
  },
  { type: "state", state: doing },
  { type: "rules", problems: agent?.faultyRules ?? [] }
]

/** Leaves out what was sent before. */
const onlyNews = (
  all: Stream.Stream<ReadonlyArray<SuggestionsFrame>>
): Stream.Stream<ReadonlyArray<SuggestionsFrame>> =>
  Stream.mapAccum(
    all,
    (): ReadonlyMap<string, string> => new Map([["rules", JSON.stringify({ type: "rules", problems: [] })]]),
    (before, frames) => {
      const now = new Map(frames.map((frame) => [frame.type, JSON.stringify(frame)]))
      return [now, [frames.filter(({ type }) => before.get(type) !== now.get(type))]]
    }
  )

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
