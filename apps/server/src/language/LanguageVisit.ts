/** One page that edits files of one thread: its documents at the language servers of the moment, and what these know. */
import type { DocumentReport, ReportsTaken } from "@signalbox/contracts/DocumentReport"
import type { LanguageServer } from "@signalbox/lsp/servers/LanguageServer"
import * as LanguageId from "@signalbox/lsp/LanguageId"
import type { LanguageServerError } from "@signalbox/lsp/LanguageServerError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as PagePaths from "../documents/PagePaths.ts"
import type { LanguagePool } from "./LanguagePool.ts"

/** Who may report a file: the page that has opened it last. */
export type Owners = Map<string, LanguageVisit>

export interface LanguageVisit {
  readonly paths: PagePaths.PagePaths
  /** Gives the page language servers, which have none of its documents. */
  readonly sitAt: (pool: LanguagePool) => void
  /** Takes the page's documents from its language servers. */
  readonly leave: Effect.Effect<void>
  readonly report: (reports: ReadonlyArray<DocumentReport>) => Effect.Effect<ReportsTaken>
  /** The version of a document that the page has reported last. Undefined if language servers do not have it. */
  readonly versionOf: (path: string) => number | undefined
  /** Why language servers do not get a document that the page has reported: one sentence. */
  readonly whyNot: (path: string) => string | undefined
  /** The language servers of a document that is open. */
  readonly serversOf: (path: string) => Effect.Effect<ReadonlyArray<LanguageServer>, LanguageServerError>
}

/** What a visit needs of the one who makes it. */
export interface Host {
  readonly paths: PagePaths.PagePaths
  readonly owners: Owners
  /** A document is there, for whoever knows its language. */
  readonly onOpened: (pool: LanguagePool, path: string) => void
}

/** How often language servers are asked for while somebody types, in milliseconds. */
const longestRest = 30_000

const nobody = "No language server is turned on for this file."

/** `wantedAtMs`: when language servers were last asked for it. */
interface Open {
  readonly version: number
  readonly wantedAtMs: number
}

export const make = ({ onOpened, owners, paths }: Host): LanguageVisit => {
  /** The documents that are open, by absolute path. */
  const open = new Map<string, Open>()
  /** Why no language server gets a document, by absolute path. Nothing else of it is kept. */
  const unread = new Map<string, string>()
  let at: LanguagePool | undefined
  let isOver = false

  const drop = (path: string): Effect.Effect<void> =>
    Effect.suspend(() => {
      open.delete(path)
      unread.delete(path)
      if (owners.get(path) !== visit) return Effect.void
      owners.delete(path)
      return at === undefined ? Effect.void : at.servers.documents.close(path)
    })

  const reported = (
    pool: LanguagePool,
    report: DocumentReport
  ): Effect.Effect<"again" | "elsewhere" | "taken", LanguageServerError> => {
    const path = paths.absoluteOf(report.path)
    const { documents } = pool.servers
    if (report.type === "opened") {
      const { text, version } = report
      return Effect.gen(function* () {
        paths.name(report.path)
        unread.set(path, nobody)
        if (!pool.definitions.some(({ languages }) => languages.includes(LanguageId.ofPath(path)))) {
          onOpened(pool, path)
          return "taken" as const
        }
        yield* Effect.tapError(documents.open({ path, text, version }), ({ message }) =>
          Effect.sync(() => unread.set(path, message))
        )
        // The page may have gone meanwhile.
        if (isOver || at !== pool) {
          yield* documents.close(path)
          return "taken" as const
        }
        unread.delete(path)
        owners.set(path, visit)
        open.set(path, { version, wantedAtMs: yield* Clock.currentTimeMillis })
        onOpened(pool, path)
        return "taken" as const
      })
    }
    if (report.type === "closed") return Effect.as(drop(path), "taken")
    if (unread.has(path)) return Effect.succeed("taken")
    const known = open.get(path)
    if (known === undefined) return Effect.succeed("again")
    if (owners.get(path) !== visit) {
      open.delete(path)
      return Effect.succeed("elsewhere")
    }
    switch (report.type) {
      case "changed":
        return Effect.gen(function* () {
          const { changes, version } = report
          yield* documents.change(path, version, changes)
          const now = yield* Clock.currentTimeMillis
          const isWanted = now - known.wantedAtMs >= longestRest
          open.set(path, { version, wantedAtMs: isWanted ? now : known.wantedAtMs })
          // A server that has ended, since nobody asked, is started again for whoever types.
          if (isWanted) onOpened(pool, path)
          return "taken" as const
        })
      case "saved":
        return Effect.as(documents.save(path), "taken")
      case "focused":
        return Effect.succeed("taken")
    }
  }

  const report: LanguageVisit["report"] = Effect.fnUntraced(function* (reports) {
    const withheld = new Map<string, string>()
    const again = new Set<string>()
    const elsewhere = new Set<string>()
    for (const one of at === undefined ? [] : reports) {
      const { path, type } = one
      if (at === undefined || (again.has(path) && type !== "opened")) continue
      const outcome = yield* Effect.result(reported(at, one))
      if (outcome._tag === "Failure") {
        if (type === "opened") withheld.set(path, outcome.failure.message)
        else again.add(path)
        continue
      }
      if (type === "opened") again.delete(path)
      if (outcome.success === "again") again.add(path)
      if (outcome.success === "elsewhere") elsewhere.add(path)
    }
    return {
      withheld: [...withheld].map(([path, why]) => ({ path, why })),
      again: [...again],
      elsewhere: [...elsewhere]
    }
  }, Effect.uninterruptible)

  const visit: LanguageVisit = {
    paths,
    sitAt: (pool) => {
      at = pool
      for (const path of open.keys()) if (owners.get(path) === visit) owners.delete(path)
      open.clear()
      unread.clear()
    },
    leave: Effect.suspend(() => {
      isOver = true
      return Effect.forEach([...open.keys()], drop, { discard: true })
    }),
    report,
    versionOf: (path) => {
      const absolute = paths.absoluteOf(path)
      return owners.get(absolute) === visit ? open.get(absolute)?.version : undefined
    },
    whyNot: (path) => unread.get(paths.absoluteOf(path)),
    serversOf: (path) =>
      Effect.suspend(() => (at === undefined ? Effect.succeed([]) : at.servers.forFile(paths.absoluteOf(path))))
  }
  return visit
}
