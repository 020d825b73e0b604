/** What language servers know of the files that pages edit: their state, diagnostics, and answers about places. */
import type { DocumentReport, ReportsTaken } from "@signalbox/contracts/DocumentReport"
import type {
  HoverAnswer,
  LanguageFrame,
  LanguagePage,
  LanguageQuestion,
  LocationsAnswer
} from "@signalbox/contracts/LanguageFeatures"
import * as KnownServers from "@signalbox/ide/servers/KnownServers"
import { Refused } from "@signalbox/contracts/Refused"
import type { Location } from "@signalbox/lsp/features/Place"
import type { LanguageServer } from "@signalbox/lsp/servers/LanguageServer"
import type { LanguageServerError } from "@signalbox/lsp/LanguageServerError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as DocumentPlace from "../documents/DocumentPlace.ts"
import * as PagePaths from "../documents/PagePaths.ts"
import { SettingsFile } from "../settings/SettingsFile.ts"
import { OwnFolders } from "../workspace/ProtectedPaths.ts"
import * as CodeLocations from "./CodeLocations.ts"
import * as LanguageFrames from "./LanguageFrames.ts"
import type { LanguagePool } from "./LanguagePool.ts"
import * as LanguageVisit from "./LanguageVisit.ts"
import { LanguageWorkspaces } from "./LanguageWorkspaces.ts"
import * as OfferedServers from "./OfferedServers.ts"

type Asked = LanguagePage & LanguageQuestion

export class PageLanguage extends Context.Service<
  PageLanguage,
  {
    /** Follows language servers for a page as long as the stream runs. `folder`: that of the thread. */
    readonly watch: (page: LanguagePage & { readonly folder: string }) => Stream.Stream<LanguageFrame>
    readonly report: (
      page: LanguagePage,
      reports: ReadonlyArray<DocumentReport>
    ) => Effect.Effect<ReportsTaken, Refused>
    readonly hover: (asked: Asked) => Effect.Effect<HoverAnswer, Refused>
    readonly definitions: (asked: Asked) => Effect.Effect<LocationsAnswer, Refused>
    readonly references: (asked: Asked) => Effect.Effect<LocationsAnswer, Refused>
    /** Turns a language server on or off, by the settings. */
    readonly turn: (id: string, on: boolean) => Effect.Effect<void, Refused>
  }
>()("@signalbox/server/language/PageLanguage") {}

interface Watching {
  readonly visit: LanguageVisit.LanguageVisit
  readonly folder: string
}

const make = Effect.gen(function* () {
  const workspaces = yield* LanguageWorkspaces
  const settings = yield* SettingsFile
  const own = yield* OwnFolders
  const offered = yield* OfferedServers.make(process.env["PATH"] ?? "")
  const owners: LanguageVisit.Owners = new Map()
  const watching = new Map<string, Watching>()

  const watchingOf = (page: LanguagePage) =>
    Effect.suspend(() => {
      const known = watching.get(keyOf(page))
      return known === undefined ? Effect.fail(notWatching) : Effect.succeed(known)
    })

  /** Asks each server of a document. Those that do not offer it are left out. */
  const ask = <A>(
    { visit }: Watching,
    { path, version }: Asked,
    question: (server: LanguageServer, path: string) => Effect.Effect<A, LanguageServerError>
  ) =>
    Effect.gen(function* () {
      const why = visit.whyNot(path)
      if (why !== undefined) return { type: "none", why } as const
      if (visit.versionOf(path) !== version) return { type: "notOpen" } as const
      const servers = yield* Effect.result(visit.serversOf(path))
      if (Result.isFailure(servers)) return { type: "none", why: servers.failure.message } as const
      const absolute = visit.paths.absoluteOf(path)
      const answers = yield* Effect.forEach(
        servers.success,
        (server) => Effect.map(Effect.result(question(server, absolute)), (answer) => ({ answer, server })),
        { concurrency: "unbounded" }
      )
      const given = answers.flatMap(({ answer, server }) =>
        Result.isSuccess(answer) ? [{ server, given: answer.success }] : []
      )
      const failed = answers.flatMap(({ answer }) => (Result.isFailure(answer) ? [answer.failure.message] : []))
      if (given.length === 0) return { type: "none", why: failed.join(" ") } as const
      return { type: "given", given } as const
    })

  const locations = (
    asked: Asked,
    question: (server: LanguageServer, path: string) => Effect.Effect<ReadonlyArray<Location>, LanguageServerError>
  ) =>
    Effect.gen(function* () {
      const page = yield* watchingOf(asked)
      const answer = yield* ask(page, asked, question)
      if (answer.type !== "given") return answer
      const { grant } = yield* Effect.provideService(DocumentPlace.of(page.folder, asked.path), OwnFolders, own)
      const found = answer.given.flatMap(({ given }) => given)
      const openText = (yield* workspaces.now).servers.documents.textOf
      return {
        type: "locations",
        ...(yield* CodeLocations.of(found, { paths: page.visit.paths, folder: page.folder, grant, openText }))
      } as const
    })

  return PageLanguage.of({
    watch: ({ folder, ...page }) =>
      Stream.unwrap(
        Effect.gen(function* () {
          const key = keyOf(page)
          yield* workspaces.hold(folder)
          const opened = yield* Queue.unbounded<LanguageFrames.Opened>()
          const visit = LanguageVisit.make({
            paths: PagePaths.make(folder),
            owners,
            onOpened: (pool, path) => Queue.offerUnsafe(opened, { pool, path })
          })
          const mine: Watching = { visit, folder }
          yield* Effect.acquireRelease(
            Effect.sync(() => watching.set(key, mine)),
            () =>
              Effect.andThen(
                visit.leave,
                Effect.sync(() => {
                  if (watching.get(key) === mine) watching.delete(key)
                })
              )
          )
          const at = (pool: LanguagePool): Stream.Stream<LanguageFrame> =>
            Stream.unwrap(
              Effect.sync(() => {
                visit.sitAt(pool)
                return LanguageFrames.of({ pool, visit, folder, offered, opened })
              })
            )
          return Stream.switchMap(workspaces.pools, at)
        })
      ),
    report: (page, reports) => Effect.flatMap(watchingOf(page), ({ visit }) => visit.report(reports)),
    hover: Effect.fn("PageLanguage.hover")(function* (asked) {
      const page = yield* watchingOf(asked)
      const answer = yield* ask(page, asked, (server, path) => server.hover(path, asked.position))
      if (answer.type !== "given") return answer
      const parts = answer.given.flatMap(({ given, server }) =>
        given === undefined
          ? []
          : {
              server: server.name,
              format: given.contents.kind === "markdown" ? ("markdown" as const) : ("plain" as const),
              text: given.contents.value
            }
      )
      const range = answer.given.find(({ given }) => given?.range !== undefined)?.given?.range
      return { type: "hover", parts, ...(range !== undefined && { range }) }
    }),
    definitions: (asked) => locations(asked, (server, path) => server.definition(path, asked.position)),
    references: (asked) => locations(asked, (server, path) => server.references(path, asked.position)),
    turn: Effect.fn("PageLanguage.turn")(function* (id, on) {
      const { faults, settings: now } = yield* settings.read
      const fault = faults.find(({ entry: [section, name] }) => section === "languageServers" && name === id)
      if (fault !== undefined) return yield* new Refused(fault)
      if (on && KnownServers.languagesOf(id) === undefined && !(id in now.languageServers)) return yield* unknown(id)
      // What people have written about it stays.
      const { off: _, ...entry } = now.languageServers[id] ?? {}
      const kept = Object.keys(entry).length > 0 ? { ...entry, off: true } : undefined
      yield* settings.put("languageServers", id, on ? entry : kept)
    })
  })
})

const keyOf = ({ page, threadId }: LanguagePage): string => JSON.stringify([threadId, page])

const notWatching = new Refused({
  problem: {
    code: "request-closed",
    title: "Language servers are not asked for this page.",
    cause: "The server does not know the page any more, such as after a restart.",
    evidence: {},
    nextSteps: [{ action: "send-again", label: "Wait until the page is connected again, or reload it" }]
  }
})

const unknown = (id: string): Refused =>
  new Refused({
    problem: {
      code: "unsupported",
      title: "The language server was not turned on.",
      cause: `Signalbox knows no language server with the name ${id}.`,
      evidence: {},
      nextSteps: [{ action: "set-option", label: 'Add its "command" and its "languages" to the settings' }]
    }
  })

export const layer = Layer.effect(PageLanguage, make)
