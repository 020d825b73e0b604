/** What a page gets of the language servers of one pool: who they are, what they do, and what they find in its files. */
import { type Diagnostic, type LanguageFrame, mostDiagnostics } from "@signalbox/contracts/LanguageFeatures"
import { isWithin } from "@signalbox/contracts/Paths"
import type * as Found from "@signalbox/lsp/features/Diagnostic"
import * as LanguageId from "@signalbox/lsp/LanguageId"
import * as Effect from "effect/Effect"
import type * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import type { LanguagePool } from "./LanguagePool.ts"
import type { LanguageVisit } from "./LanguageVisit.ts"
import type { OfferedServers } from "./OfferedServers.ts"
import * as ServerStates from "./ServerStates.ts"

/** A document that the page has opened. `path`: absolute. */
export interface Opened {
  readonly pool: LanguagePool
  readonly path: string
}

interface Around {
  readonly pool: LanguagePool
  readonly visit: LanguageVisit
  readonly folder: string
  readonly offered: OfferedServers
  readonly opened: Queue.Dequeue<Opened>
}

export const of = ({ folder, offered, opened, pool, visit }: Around): Stream.Stream<LanguageFrame> => {
  const { servers } = pool
  const { diagnostics } = servers
  const on: LanguageFrame = { type: "on", pool: pool.id }
  const states = Stream.concat(Stream.make(undefined), servers.changes).pipe(
    Stream.mapEffect(() => ServerStates.of(pool)),
    Stream.map((all): LanguageFrame => ({
      type: "servers",
      servers: all.filter(({ root }) => root === undefined || isWithin(folder, root))
    })),
    Stream.changesWith((one, other) => JSON.stringify(one) === JSON.stringify(other))
  )
  const documents = Stream.fromQueue(opened).pipe(
    // What came before the settings were changed is opened again.
    Stream.filter((one) => one.pool === pool),
    Stream.flatMap(
      ({ path }) =>
        Stream.unwrap(
          Effect.gen(function* () {
            const language = LanguageId.ofPath(path)
            const able = pool.definitions.filter(({ languages }) => languages.includes(language))
            const failed = pool.unusable.filter(({ languages }) => languages.includes(language))
            const named = [...able, ...failed].map(({ id }) => id)
            const others = yield* offered.of(path, new Set(named))
            const frame: LanguageFrame = {
              type: "document",
              path: visit.paths.named(path),
              servers: named,
              offered: others.map(({ command, id, name }) => ({ id, name, command }))
            }
            // Their states say what becomes of them.
            const start = Stream.drain(Stream.fromEffect(Effect.ignore(servers.forFile(path))))
            return Stream.concat(Stream.make(frame), able.length === 0 ? Stream.empty : start)
          })
        ),
      { concurrency: "unbounded" }
    )
  )
  /** The servers whose findings the page has, by file. */
  const shown = new Map<string, Set<string>>()
  const findings = diagnostics.changes.pipe(
    Stream.flatMap((path) => {
      const version = visit.versionOf(path)
      if (version === undefined) {
        shown.delete(path)
        return Stream.empty
      }
      const known = diagnostics.known(path)
      const before = shown.get(path) ?? new Set<string>()
      const after = new Set(known.map(({ server }) => server))
      shown.set(path, after)
      const named = visit.paths.named(path)
      const current = known.filter(({ isCurrent }) => isCurrent)
      const frames = [...Map.groupBy(current, ({ server }) => server)].flatMap(
        ([server, sets]): ReadonlyArray<LanguageFrame> => {
          // One server may publish findings, and answer others.
          const about = sets.filter(({ version }) => version !== undefined)
          const items = about.flatMap((set) => set.items)
          const version = about[0]?.version
          if (version === undefined) return []
          return [
            {
              type: "diagnostics",
              path: named,
              server,
              version,
              diagnostics: items.slice(0, mostDiagnostics).map(diagnosticOf),
              total: about.reduce((total, { leftOut }) => total + leftOut, items.length)
            }
          ]
        }
      )
      const gone = [...before]
        .filter((server) => !after.has(server))
        .map((server): LanguageFrame => ({
          type: "diagnostics",
          path: named,
          server,
          version,
          diagnostics: [],
          total: 0
        }))
      return Stream.fromIterable([...frames, ...gone])
    })
  )
  return Stream.concat(Stream.make(on), Stream.mergeAll([states, documents, findings], { concurrency: "unbounded" }))
}

const diagnosticOf = ({
  code,
  isDeprecated,
  isUnnecessary,
  message,
  range,
  severity,
  source
}: Found.Diagnostic): Diagnostic => ({
  range,
  severity,
  message,
  ...(source !== undefined && { source }),
  ...(code !== undefined && { code: String(code) }),
  ...(isUnnecessary ? { fades: "unnecessary" } : isDeprecated ? { fades: "deprecated" } : {})
})
