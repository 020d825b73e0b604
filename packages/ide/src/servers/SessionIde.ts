/** What answers for the folders of one session: language servers, started when they are first asked. */
import type { ServerDefinition } from "@signalbox/lsp/ServerDefinition"
import * as LanguageServers from "@signalbox/lsp/servers/LanguageServers"
import type { ServerState } from "@signalbox/lsp/servers/ServerState"
import type { ProcessLedger } from "@signalbox/process/ProcessLedger"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import type { SessionFolder } from "../files/SessionFolder.ts"
import { type Ide, IdeFailure } from "../Ide.ts"
import * as KnownServers from "./KnownServers.ts"
import * as LanguageServerIde from "./LanguageServerIde.ts"

export interface Options {
  readonly ledger: ProcessLedger["Service"]
  /** Servers that people name. Known ones that are safe take their place for the languages that none of them knows. */
  readonly definitions: ReadonlyArray<ServerDefinition>
  /** Whether known servers of this machine are started, too: those that run and fetch nothing of what a project names. */
  readonly findsKnown: boolean
  /** How long a question may take. Then its answer is what it waits for. Default: 8 seconds. */
  readonly patience?: Duration.Duration | undefined
  /** Opens the servers for folders. By default they are started for this session alone. */
  readonly open?: Open | undefined
}

/** Opens language servers for folders without links. They end with the scope. */
export type Open = (
  folders: ReadonlyArray<string>
) => Effect.Effect<LanguageServers.LanguageServers, never, Scope.Scope>

/** A program of an agent has 10 seconds. */
const defaultPatience = Duration.seconds(8)

const advice = () => "no language server for it is known. Name one in the settings, or by --server."

const none: KnownServers.Found = { definitions: [], unasked: [], toBeNamed: [], missing: [] }

export interface SessionIde extends Ide {
  /** What questions wait for now, in a sentence. */
  readonly waiting: Effect.Effect<string>
}

/** Makes an IDE whose servers end with the scope. */
export const make = Effect.fnUntraced(function* (
  folder: SessionFolder,
  { definitions, findsKnown, ledger, open, patience = defaultPatience }: Options
): Effect.fn.Return<SessionIde, never, Scope.Scope> {
  const path = process.env["PATH"] ?? ""
  const found = findsKnown ? yield* KnownServers.find(path) : none
  const named = yield* Effect.forEach(definitions, (one) =>
    Effect.map(KnownServers.completed(one, path), (result) => ({ languages: one.languages, result }))
  )
  const unusable = named.flatMap(({ languages, result }) =>
    Result.isFailure(result) ? [{ languages, words: result.failure }] : []
  )
  const taken = new Set(definitions.flatMap(({ languages }) => languages))
  const isFree = ({ languages }: { readonly languages: ReadonlyArray<string> }) =>
    !languages.some((language) => taken.has(language))
  const usable = named.flatMap(({ result }) => (Result.isSuccess(result) ? [result.success] : []))
  const all = [...usable, ...found.unasked.filter(isFree)]
  const missing = [...unusable, ...[...found.missing, ...found.toBeNamed].filter(isFree)]
  const servers = yield* (
    open?.(folder.roots) ??
      LanguageServers.make({
        servers: all,
        folders: () => folder.roots,
        ledger,
        limits: { ready: patience, answer: patience }
      })
  )
  const ide = LanguageServerIde.make({ servers, definitions: all, missing, advice, folder })
  const waiting = Effect.map(servers.states, waitingFor)
  const within = <A>(question: Effect.Effect<A, IdeFailure>): Effect.Effect<A, IdeFailure> =>
    Effect.timeoutOrElse(question, {
      duration: patience,
      orElse: () =>
        Effect.flatMap(waiting, (words) => {
          const seconds = Duration.toSeconds(patience)
          return Effect.fail(new IdeFailure({ message: `There is no answer after ${seconds} seconds. ${words}` }))
        })
    })
  return {
    resolveSymbol: (name) => within(ide.resolveSymbol(name)),
    references: (symbol) => within(ide.references(symbol)),
    lsp: (method, params) => within(ide.lsp(method, params)),
    diagnostics: (uri) => within(ide.diagnostics(uri)),
    selection: ide.selection,
    waiting
  }
})

const waitingFor = (states: ReadonlyArray<ServerState>): string => {
  const words = states.flatMap(({ name, phase, problem, progress }) => {
    if (phase === "ended") return []
    const more = [progress, problem].filter((text) => text !== undefined && text !== "")
    return [`${name} is ${phase === "ready" ? "at work" : phase}${more.length === 0 ? "" : `: ${more.join(". ")}`}`]
  })
  const what = words.length === 0 ? "No language server has started yet" : words.join("; ")
  return `${what}. Ask again in a moment.`
}
