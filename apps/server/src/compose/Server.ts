/** Composes the server, from the bottom: the lock, the database, the agents, the threads, and last the open port. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Conformance from "../conformance/Conformance.ts"
import * as AuditLog from "../audit/AuditLog.ts"
import * as Exposure from "../base/Exposure.ts"
import * as ServerHealth from "../telemetry/ServerHealth.ts"
import * as ClientRegistry from "../http/ClientRegistry.ts"
import * as HttpApp from "../http/HttpApp.ts"
import * as RpcHandlers from "../http/RpcHandlers.ts"
import { pageFolder } from "../base/Installation.ts"
import * as McpServers from "../mcp/McpServers.ts"
import * as LogFile from "../telemetry/LogFile.ts"
import * as Editing from "../editing/Editing.ts"
import * as PageSuggestions from "../suggestions/PageSuggestions.ts"
import * as RememberedChoices from "../suggestions/RememberedChoices.ts"
import * as Drafts from "../drafts/Drafts.ts"
import * as Documents from "../documents/Documents.ts"
import * as ChosenBySettings from "../language/ChosenBySettings.ts"
import * as LanguageWorkspaces from "../language/LanguageWorkspaces.ts"
import * as ServerStates from "../language/ServerStates.ts"
import * as PageLanguage from "../language/PageLanguage.ts"
import * as MeasuredAgents from "../telemetry/MeasuredAgents.ts"
import * as MeasuredStore from "../telemetry/MeasuredStore.ts"
import * as MeasuredThreads from "../telemetry/MeasuredThreads.ts"
import * as MetricsPage from "../telemetry/MetricsPage.ts"
import * as SpanLog from "../telemetry/SpanLog.ts"
import type { Resume } from "../orchestration/ThreadActor.ts"
import * as ThreadsLocal from "../orchestration/ThreadsLocal.ts"
import * as TurnLimit from "../orchestration/TurnLimit.ts"
import * as DraftStore from "../storage/DraftStore.ts"
import * as ProviderSessionStore from "../storage/ProviderSessionStore.ts"
import * as RememberedSettings from "../storage/RememberedSettings.ts"
import * as Sqlite from "../storage/Sqlite.ts"
import * as StateLock from "../storage/StateLock.ts"
import { StorageState } from "../storage/StorageState.ts"
import * as SqliteThreadStore from "../storage/SqliteThreadStore.ts"
import * as IdleLimit from "../provider/acp/profile/IdleLimit.ts"
import { sentencesOf } from "@signalbox/process/LeftoverWords"
import * as AgentModels from "../provider/signin/AgentModels.ts"
import * as AgentSessions from "../provider/signin/AgentSessions.ts"
import * as AgentVisits from "../provider/signin/AgentVisits.ts"
import * as ProcessLedger from "@signalbox/process/ProcessLedgerLayer"
import * as ProfilesOfSettings from "../provider/catalog/ProfilesOfSettings.ts"
import * as ProviderCatalog from "../provider/catalog/ProviderCatalog.ts"
import * as ProviderService from "../provider/Layers/ProviderService.ts"
import * as SignedIn from "../provider/signin/SignedIn.ts"
import * as SignIns from "../provider/signin/SignIns.ts"
import * as ProviderSessionDirectory from "../provider/Layers/ProviderSessionDirectory.ts"
import * as RulesDesk from "../rules/RulesDesk.ts"
import * as RulesInForce from "../rules/RulesInForce.ts"
import * as SettingsFile from "../settings/SettingsFile.ts"
import { ProcessLedger as Ledger } from "@signalbox/process/ProcessLedger"
import { TerminalSignIn } from "../provider/Services/TerminalSignIn.ts"
import * as Pty from "@signalbox/process/Pty"
import * as SuggestionTally from "../tally/SuggestionTally.ts"
import * as Tape from "../tape/Tape.ts"
import * as Tapes from "../tape/Tapes.ts"
import { OwnFolders } from "../workspace/ProtectedPaths.ts"
import * as Adapters from "./Adapters.ts"
import * as Registry from "./Registry.ts"
import {
  agentsIn,
  auditIn,
  clientsIn,
  conformanceIn,
  databaseIn,
  earlierBrowsersIn,
  guardedIn,
  logsIn,
  recordingsIn,
  suggestionCountsIn,
  tapesIn
} from "../base/StateDirectory.ts"

export interface Options extends Omit<HttpApp.Options, "webRoot"> {
  /** Absolute. */
  readonly stateDirectory: string
  readonly version: string
  /** When to start an agent again that ended by itself, or with an earlier server. The default is `on-prompt`. */
  readonly resume?: Resume
}

export const layer = ({ resume = "on-prompt", stateDirectory, version, ...listen }: Options) => {
  const lock = StateLock.layer(stateDirectory)
  // The log needs the lock, since two servers must not write and rotate the same log.
  const log = SpanLog.layer.pipe(
    Layer.provideMerge(LogFile.layer({ folder: logsIn(stateDirectory), life: `Signalbox ${version}` })),
    Layer.provide(lock)
  )
  const mended = Layer.effectDiscard(Exposure.mended(guardedIn(stateDirectory))).pipe(Layer.provide(log))
  const lockTold = Layer.effectDiscard(
    Effect.flatMap(StateLock.HeldLock, ({ lost }) =>
      Effect.forkScoped(Effect.flatMap(lost, ({ message }) => Effect.logError(message)))
    )
  ).pipe(Layer.provide([log, lock]))
  const database = Sqlite.layer(databaseIn(stateDirectory)).pipe(Layer.provide(lock))
  const directory = ProviderSessionDirectory.layer.pipe(Layer.provide(ProviderSessionStore.layer))
  // Processes of an earlier server are ended before the first agent starts.
  const ledger = ProcessLedger.layer({ folder: agentsIn(stateDirectory) }).pipe(Layer.provide(lock))
  const settings = SettingsFile.layer({ folder: stateDirectory, watch: true }).pipe(Layer.provide(lock))
  const rules = RulesInForce.layer({ stateFolder: stateDirectory })
  const audit = AuditLog.layer(auditIn(stateDirectory)).pipe(Layer.provide(lock))
  const tally = SuggestionTally.layer(suggestionCountsIn(stateDirectory)).pipe(Layer.provide(lock))
  const terminalSignIn = Layer.effect(TerminalSignIn, Pty.isAvailable)
  const editing = Layer.unwrap(
    Effect.map(RememberedChoices.make, (chosen) =>
      Editing.layer({ keep: "1 minute", recordings: { folder: recordingsIn(stateDirectory) }, chosen })
    )
  )
  const agents = MeasuredAgents.layer.pipe(
    Layer.provide(ProviderService.layer),
    Layer.provideMerge(
      Layer.mergeAll(AgentSessions.layer, AgentModels.layer, SignIns.layer).pipe(Layer.provide(AgentVisits.layer))
    ),
    Layer.provideMerge(Conformance.layer(conformanceIn(stateDirectory))),
    Layer.provideMerge(ProviderCatalog.layer(stateDirectory)),
    Layer.provideMerge(Layer.provide(Adapters.layer, IdleLimit.layer)),
    Layer.provideMerge(editing),
    Layer.provideMerge(McpServers.layer),
    Layer.provide(Layer.succeed(OwnFolders, [stateDirectory])),
    Layer.provide([rules, audit, tally, ProfilesOfSettings.layer, ChosenBySettings.layer]),
    Layer.provideMerge(ledger),
    Layer.provideMerge(SignedIn.layer),
    Layer.provide(terminalSignIn),
    Layer.provideMerge(Registry.layer(stateDirectory)),
    Layer.provideMerge(settings),
    Layer.provide(directory),
    Layer.provide(Tape.layer({ folder: tapesIn(stateDirectory) }))
  )
  const tapes = Tapes.layer({ folder: tapesIn(stateDirectory) })
  const store = MeasuredStore.layer.pipe(Layer.provide(SqliteThreadStore.layer))
  const threads = MeasuredThreads.layer.pipe(
    Layer.provide(
      Layer.unwrap(
        Effect.map(Ledger, ({ found }) =>
          ThreadsLocal.layer({
            resume,
            leftRunning: (threadId, name) =>
              found.filter((agent) => agent.runsFor === threadId).flatMap((agent) => sentencesOf(name, agent))
          })
        )
      )
    ),
    Layer.provide(TurnLimit.layer),
    Layer.provideMerge(agents),
    Layer.provideMerge(Drafts.layer.pipe(Layer.provide(DraftStore.layer))),
    Layer.provide([store, audit, RememberedSettings.layer, tapes])
  )
  const health = Layer.unwrap(
    Effect.gen(function* () {
      const { now } = yield* StorageState
      const { read: figures } = yield* SuggestionTally.SuggestionTally
      const language = yield* LanguageWorkspaces.LanguageWorkspaces
      const { read: settingsNow } = yield* SettingsFile.SettingsFile
      return ServerHealth.layer({
        version,
        stateDirectory,
        database: databaseIn(stateDirectory),
        tapes: tapesIn(stateDirectory),
        storage: now,
        languageServers: Effect.flatMap(language.now, ServerStates.of),
        suggestions: Effect.zipWith(figures, settingsNow, (quality, { settings: { suggestions } }) => ({
          ...quality,
          ...(suggestions?.provider !== undefined && { chosen: suggestions.provider })
        }))
      })
    })
  )
  const clients = ClientRegistry.layer({ file: clientsIn(stateDirectory), earlier: earlierBrowsersIn(stateDirectory) })
  return HttpApp.layer({ ...listen, webRoot: pageFolder }).pipe(
    Layer.provide([RpcHandlers.layer({ version, cwd: process.cwd() }), MetricsPage.layer]),
    Layer.provide(clients),
    Layer.provide(RulesDesk.layer({ stateFolder: stateDirectory })),
    Layer.provide([RememberedSettings.layer, rules, audit]),
    Layer.provide(Layer.provide(Documents.layer, Layer.succeed(OwnFolders, [stateDirectory]))),
    Layer.provide(Layer.provide(PageLanguage.layer, Layer.succeed(OwnFolders, [stateDirectory]))),
    Layer.provide(PageSuggestions.layer),
    Layer.provide(tapes),
    Layer.provide(health),
    Layer.provide(LanguageWorkspaces.layer),
    Layer.provide(tally),
    Layer.provideMerge(threads),
    Layer.provide(database),
    Layer.provide([mended, lockTold]),
    Layer.provide(log),
    Layer.provideMerge(lock)
  )
}
