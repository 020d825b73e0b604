/** Handlers of the page's calls over the WebSocket. */
import type { SettingsReport } from "@signalbox/contracts/SettingsReport"
import { protocolVersion, type ServerInfo } from "@signalbox/contracts/ServerInfo"
import { SignalboxRpc } from "@signalbox/contracts/Rpc"
import { Refused } from "@signalbox/contracts/Refused"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Headers } from "effect/http/Headers"
import * as Stream from "effect/Stream"
import { homedir } from "node:os"
import * as AgentHandlers from "./AgentHandlers.ts"
import * as ClientHandlers from "./ClientHandlers.ts"
import { ClientRegistry } from "./ClientRegistry.ts"
import * as AuditHandlers from "./AuditHandlers.ts"
import * as DocumentHandlers from "./DocumentHandlers.ts"
import * as DraftHandlers from "./DraftHandlers.ts"
import * as EditorHandlers from "./EditorHandlers.ts"
import * as RegistryHandlers from "./RegistryHandlers.ts"
import * as RulesHandlers from "./RulesHandlers.ts"
import * as LanguageHandlers from "./LanguageHandlers.ts"
import * as SuggestionHandlers from "./SuggestionHandlers.ts"
import * as RpcClients from "./RpcClients.ts"
import * as WireHandlers from "./WireHandlers.ts"
import { ServerHealth } from "../telemetry/ServerHealth.ts"
import { McpServers } from "../mcp/McpServers.ts"
import * as ThreadExport from "../orchestration/ThreadExport.ts"
import { Threads } from "../orchestration/Threads.ts"
import * as PlannedComponents from "../provider/chain/PlannedComponents.ts"
import * as ResearchList from "../provider/chain/ResearchList.ts"
import * as ProfilesOfSettings from "../provider/catalog/ProfilesOfSettings.ts"
import { RememberedSettings } from "../storage/RememberedSettings.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { ProviderCatalog } from "../provider/Services/ProviderCatalog.ts"
import * as Secrets from "@signalbox/redaction/Secrets"
import { SettingsFile } from "../settings/SettingsFile.ts"
import * as SettingsSecrets from "../settings/SettingsSecrets.ts"
import type { SettingsReading } from "../settings/SettingsText.ts"
import * as Directories from "../workspace/Directories.ts"
import * as FileSearch from "../workspace/FileSearch.ts"

export interface Options {
  readonly version: string
  readonly cwd: string
}

export const layer = (options: Options) =>
  SignalboxRpc.toLayer(
    Effect.gen(function* () {
      const threads = yield* Threads
      const catalog = yield* ProviderCatalog
      const settings = yield* SettingsFile
      const remembered = yield* RememberedSettings
      const mcp = yield* McpServers
      const health = yield* ServerHealth
      const files = yield* FileSearch.make
      const agents = yield* AgentHandlers.make
      const clients = yield* ClientHandlers.make
      const clientRegistry = yield* ClientRegistry
      /** The client of a call. A call whose client was revoked meanwhile ends without an answer. */
      const caller = (headers: Headers, now: number) => {
        const client = RpcClients.of(clientRegistry, headers, now)
        return client === undefined ? Effect.interrupt : Effect.succeed(client)
      }
      const registry = yield* RegistryHandlers.make
      const audit = yield* AuditHandlers.make
      const rules = yield* RulesHandlers.make
      const documents = yield* DocumentHandlers.make
      const drafts = yield* DraftHandlers.make
      const editors = yield* EditorHandlers.make
      const suggestions = yield* SuggestionHandlers.make
      const language = yield* LanguageHandlers.make
      const wire = yield* WireHandlers.make
      const about = {
        name: "signalbox" as const,
        version: options.version,
        protocolVersion,
        bootId: threads.bootId,
        cwd: options.cwd,
        home: homedir()
      }
      return SignalboxRpc.of({
        ...agents,
        ...clients,
        ...registry,
        ...audit,
        ...rules,
        ...documents,
        ...drafts,
        ...editors,
        ...suggestions,
        ...language,
        ...wire,
        hello: (_, { headers }) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) =>
            Effect.map(caller(headers, now), (client): ServerInfo => ({ ...about, client, now }))
          ),
        send: (envelope, { headers }) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) =>
            Effect.flatMap(caller(headers, now), (client) => threads.send(envelope, RpcClients.answering(client)))
          ),
        watchThreads: () => threads.watchAll,
        watchRequests: () => threads.watchRequests,
        watchThread: ({ threadId, ...options }) => threads.watch(threadId, options),
        readLater: ({ from, threadId, until }) => threads.later(threadId, from, until),
        readEarlier: ({ before, threadId, turnLimit }) => threads.earlier(threadId, before, turnLimit),
        readOutput: ({ itemId, part, threadId }) => threads.output(threadId, itemId, part),
        exportThread: ({ threadId }) =>
          Stream.unwrap(
            Effect.map(settings.read, (reading) =>
              ThreadExport.safely(Secrets.of(process.env, SettingsSecrets.of(reading.settings)))(
                threads.export(threadId)
              )
            )
          ),
        deleteThread: ({ ifSequence, threadId }) => threads.remove(threadId, ifSequence),
        watchHealth: () => health.changes,
        watchProviders: () => catalog.changes,
        checkProviders: () => Effect.asVoid(catalog.check),
        listRememberedSettings: ({ filter }) => Effect.mapError(remembered.list(filter), unreadable),
        rememberSettings: ({ cwd, providerId, settings }) =>
          Effect.mapError(remembered.remember(providerId, cwd, settings), unreadable),
        forgetSettings: ({ filter }) => Effect.mapError(remembered.forget(filter), unreadable),
        watchSettings: () => Stream.map(settings.changes, reportOf(settings.path)),
        chooseProfile: ({ profile, providerId }) => ProfilesOfSettings.put(settings, providerId, profile),
        listComponents: ({ providerId }) =>
          catalog.get(providerId).pipe(
            Effect.map(({ options }) => PlannedComponents.infos(options.components ?? [])),
            // An agent that is not there has none.
            Effect.orElseSucceed(() => [])
          ),
        listResearch: ({ cwd, providerId }) =>
          catalog.get(providerId).pipe(
            Effect.mapError(({ problem }) => new Refused({ problem })),
            Effect.flatMap(({ options }) => ResearchList.read(options.components ?? [], cwd))
          ),
        listMcpServers: ({ cwd }) => mcp.list(cwd),
        listDirectory: ({ path }) => Directories.list(path),
        searchFiles: files.search
      })
    })
  )

const unreadable = ({ problem }: StorageError): Refused => new Refused({ problem })

const reportOf =
  (path: string) =>
  ({ faults }: SettingsReading): SettingsReport => ({ path, problems: faults.map(({ problem }) => problem) })
