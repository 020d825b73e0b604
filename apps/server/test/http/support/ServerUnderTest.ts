/** The real HTTP app on a free port, over a small catalogue. Its in-memory `Threads` echoes every command as one event. */
import * as NodeSocket from "@effect/platform-node/NodeSocket"
import * as Client from "@signalbox/client/Client"
import type { ThreadFrame, ThreadsFrame } from "@signalbox/contracts/ThreadFrame"
import { ThreadNotFound } from "@signalbox/contracts/ThreadErrors"
import { BootId, Sequence, type ThreadId } from "@signalbox/contracts/Ids"
import type { RegistryListing } from "@signalbox/contracts/Registry"
import type { LoggedEvent } from "@signalbox/contracts/ThreadEvent"
import type { RequestsFrame } from "@signalbox/contracts/Waiting"
import type { Health } from "@signalbox/contracts/Health"
import { SignInOver } from "@signalbox/contracts/SignIn"
import { ProviderId, type ProviderStatus } from "@signalbox/contracts/Provider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as RpcClient from "effect/rpc/RpcClient"
import * as Stream from "effect/Stream"
import * as SubscriptionRef from "effect/SubscriptionRef"
import { mkdirSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { dirname, join } from "node:path"
import { Conformance } from "../../../src/conformance/Conformance.ts"
import { ServerHealth } from "../../../src/telemetry/ServerHealth.ts"
import * as HttpApp from "../../../src/http/HttpApp.ts"
import * as ClientRegistry from "../../../src/http/ClientRegistry.ts"
import * as RpcHandlers from "../../../src/http/RpcHandlers.ts"
import * as MetricsPage from "../../../src/telemetry/MetricsPage.ts"
import { Threads } from "../../../src/orchestration/Threads.ts"
import { AgentModels } from "../../../src/provider/Services/AgentModels.ts"
import { AgentSessions } from "../../../src/provider/Services/AgentSessions.ts"
import { ProviderCatalog } from "../../../src/provider/Services/ProviderCatalog.ts"
import { SignIns } from "../../../src/provider/Services/SignIns.ts"
import { providerError } from "../../../src/base/ProviderError.ts"
import { RememberedSettings } from "../../../src/storage/RememberedSettings.ts"
import { Drafts } from "../../../src/drafts/Drafts.ts"
import * as Documents from "../../../src/documents/Documents.ts"
import { PageLanguage } from "../../../src/language/PageLanguage.ts"
import { PageSuggestions } from "../../../src/suggestions/PageSuggestions.ts"
import * as Tapes from "../../../src/tape/Tapes.ts"
import * as RulesDesk from "../../../src/rules/RulesDesk.ts"
import { AgentInstaller } from "../../../src/registry/AgentInstaller.ts"
import { refused, Registry } from "../../../src/registry/Registry.ts"
import { SettingsFile } from "../../../src/settings/SettingsFile.ts"
import { noSettings } from "../../../src/settings/SettingsText.ts"
import { temporaryFolder } from "../../../../../packages/system/test/support/TemporaryFolder.ts"

const status: ProviderStatus = {
  provider: { id: ProviderId.make("eliza"), kind: "acp", name: "Eliza", simulated: true },
  description: "Small talk.",
  state: "ready",
  checks: [],
  capabilities: { rollback: { supported: false, reason: "It cannot." }, resume: false, images: false }
}

const CatalogInMemory = Layer.succeed(ProviderCatalog, {
  get: (id) => Effect.fail(providerError("agent-not-found", `There is no agent ${id}.`, "The list is short.")),
  statuses: Effect.succeed([status]),
  changes: Stream.succeed([status]),
  check: Effect.succeed([status]),
  noteLogin: () => Effect.void
})

const NoAgentModels = Layer.succeed(AgentModels, { list: () => Effect.undefined })

const NoAgentSessions = Layer.succeed(AgentSessions, {
  list: () => Stream.empty,
  change: () => Effect.succeed({})
})

const NoSignIns = Layer.succeed(SignIns, {
  state: (id) => Effect.fail(providerError("agent-not-found", `There is no agent ${id}.`, "The list is short.")),
  refusal: () => Effect.undefined,
  signIn: () => Stream.empty,
  input: (signInId) => Effect.fail(new SignInOver({ signInId })),
  signOut: () => Effect.void
})

const NoConformance = Layer.succeed(Conformance, {
  report: () => Effect.succeed(null),
  probe: (id) => Stream.fail(providerError("agent-not-found", `There is no agent ${id}.`, "The list is short.")),
  probeUnlisted: () => Stream.empty
})

const bootId = BootId.make("boot")

/** Commands of each thread, in order; a watcher sees those after `after`, and then each new one. */
const ThreadsInMemory = Layer.effect(
  Threads,
  Effect.gen(function* () {
    const logs = yield* SubscriptionRef.make<ReadonlyMap<ThreadId, ReadonlyArray<LoggedEvent>>>(new Map())
    return Threads.of({
      send: ({ command, commandId, threadId }) =>
        SubscriptionRef.modify(logs, (all) => {
          const log = all.get(threadId) ?? []
          const sequence = Sequence.make(log.length + 1)
          const title = command.type === "thread.rename" ? command.title : command.type
          const event: LoggedEvent = { sequence, event: { type: "thread.renamed", threadId, at: 0, title } }
          return [{ commandId, sequence }, new Map([...all, [threadId, [...log, event]]])]
        }),
      bootId,
      inMemory: Effect.map(SubscriptionRef.get(logs), ({ size }) => size),
      watch: (threadId, { after = { bootId, sequence: Sequence.make(0) } } = {}) =>
        Stream.unwrap(
          Effect.gen(function* () {
            const log = (yield* SubscriptionRef.get(logs)).get(threadId)
            if (log === undefined) return Stream.fail(new ThreadNotFound({ threadId }))
            let last: number = after.sequence
            return SubscriptionRef.changes(logs).pipe(
              Stream.map((all): ThreadFrame => {
                const events = (all.get(threadId) ?? []).filter(({ sequence }) => sequence > last)
                last = events.at(-1)?.sequence ?? last
                return { type: "events", events }
              })
            )
          })
        ),
      watchAll: Stream.succeed<ThreadsFrame>({ type: "snapshot", threads: [] }),
      watchRequests: Stream.succeed<RequestsFrame>({ type: "snapshot", threads: [] }),
      earlier: (threadId) => Effect.fail(new ThreadNotFound({ threadId })),
      later: (threadId) => Effect.fail(new ThreadNotFound({ threadId })),
      output: (threadId) => Stream.fail(new ThreadNotFound({ threadId })),
      export: (threadId) => Stream.fail(new ThreadNotFound({ threadId })),
      remove: () => Effect.void
    })
  })
)

const health: Health = {
  at: 1,
  bootId,
  version: "0.0.0-test",
  server: { pid: 1, startedAt: 1000, rssBytes: 2, heapBytes: 1, delayMs: 0 },
  storage: { state: "ok", directory: "/state", databaseBytes: 4096, journalBytes: 0, tapeBytes: 0 },
  agents: [],
  threads: { all: 3, inMemory: 1, running: 0, unreadable: 0 },
  watchers: 0,
  reaped: 0
}

const HealthInMemory = Layer.succeed(ServerHealth, {
  now: Effect.succeed(health),
  changes: Stream.make(health, { ...health, at: 2 })
})

const NoSettings = Layer.succeed(SettingsFile, {
  path: "/state/settings.json",
  read: Effect.succeed({ settings: noSettings, faults: [] }),
  changes: Stream.succeed({ settings: noSettings, faults: [] }),
  put: () => Effect.void
})

const NoSuggestions = Layer.succeed(PageSuggestions, {
  watch: () => Stream.make({ type: "off", why: "There are none." }),
  report: () => Effect.succeed({ withheld: [], again: [], elsewhere: [] }),
  suggest: () => Effect.succeed({ type: "off", why: "There are none." }),
  end: () => Effect.succeed(false),
  set: () => Effect.fail(refused("There are no settings.", "Nobody makes suggestions.")),
  turn: () => Effect.fail(refused("There are no settings.", "Nobody makes suggestions.")),
  places: () => Effect.fail(refused("There are no suggestions.", "Nobody makes any.")),
  sent: () => Effect.fail(refused("There are no suggestions.", "Nobody makes any."))
})

const NoLanguage = Layer.succeed(PageLanguage, {
  watch: () => Stream.make({ type: "on", pool: "1" }),
  report: () => Effect.succeed({ withheld: [], again: [], elsewhere: [] }),
  hover: () => Effect.succeed({ type: "notOpen" }),
  definitions: () => Effect.succeed({ type: "notOpen" }),
  references: () => Effect.succeed({ type: "notOpen" }),
  turn: () => Effect.fail(refused("There are no language servers.", "Nobody knows one."))
})

const noAgents: RegistryListing = { source: "shipped", agents: [], unreadable: [] }

const NoRegistry = Layer.mergeAll(
  Layer.succeed(Registry, {
    list: Effect.succeed(noAgents),
    refresh: Effect.succeed(noAgents),
    plan: () => Effect.fail(refused("There is no such agent.", "The registry is empty."))
  }),
  Layer.succeed(AgentInstaller, { install: () => Stream.empty })
)

const NothingRemembered = Layer.succeed(RememberedSettings, {
  list: () => Effect.succeed([]),
  remember: () => Effect.void,
  forget: () => Effect.succeed(0)
})

const NoDrafts = Layer.succeed(Drafts, {
  isWritten: () => false,
  listen: () => Effect.void,
  watch: () => Stream.fail(refused("There is no draft.", "Nobody writes one.")),
  save: () => Effect.fail(refused("There is no draft.", "Nobody writes one.")),
  attach: () => Effect.fail(refused("There is no draft.", "Nobody writes one.")),
  read: () => Effect.fail(refused("There is no draft.", "Nobody writes one.")),
  changed: () => Effect.void,
  removed: () => {}
})

/** In a folder of its own. */
export const clientsFile = () => join(temporaryFolder("clients"), "clients.json")

const builtPage = () => {
  const root = temporaryFolder("page")
  mkdirSync(join(root, "assets"))
  writeFileSync(join(root, "index.html"), "<!doctype html><title>Signalbox</title>")
  writeFileSync(join(root, "assets", "index-abc123.js"), "export {}")
  return root
}

interface Options extends HttpApp.Options {
  /** The folder of the tapes. By default, it is empty. */
  readonly tapes: string
  readonly clientsFile: string
}

export const layer = (options: Partial<Options> = {}) => layerOf(ThreadsInMemory, options)

/** A server over other threads. */
export const layerOf = (
  threads: Layer.Layer<Threads>,
  { clientsFile: file = clientsFile(), tapes = temporaryFolder("tapes"), ...options }: Partial<Options> = {}
) =>
  HttpApp.layer({
    address: "127.0.0.1",
    port: 0,
    orNext: false,
    webRoot: builtPage(),
    ...options
  }).pipe(
    Layer.provide(RpcHandlers.layer({ version: "0.0.0-test", cwd: "/work-tree" })),
    Layer.provide(ClientRegistry.layer({ file, earlier: join(dirname(file), "browsers.json") })),
    Layer.provide(MetricsPage.layer),
    Layer.provide([
      threads,
      CatalogInMemory,
      HealthInMemory,
      NoSettings,
      NothingRemembered,
      NoDrafts,
      NoAgentModels,
      NoAgentSessions,
      NoSignIns,
      NoConformance,
      NoRegistry,
      RulesDesk.layer({ stateFolder: temporaryFolder("rules") }),
      Documents.layer,
      NoSuggestions,
      NoLanguage,
      Tapes.layer({ folder: tapes })
    ])
  )

export interface RawAnswer {
  readonly status: number
  readonly headers: string
  readonly body: string
}

/** Sends exactly these lines and returns what comes back: no client library between the test and the request guard. */
export const raw = (port: number, lines: ReadonlyArray<string>, body = "") =>
  Effect.callback<RawAnswer, Error>((resume) => {
    let received = ""
    const socket = connect(port, "127.0.0.1", () => socket.write(`${lines.join("\r\n")}\r\n\r\n${body}`))
    const finish = () => {
      const [head = "", ...rest] = received.split("\r\n\r\n")
      const statusLine = /^HTTP\/1\.1 (\d+)/.exec(head)
      socket.destroy()
      resume(
        Effect.succeed({
          status: Number(statusLine?.[1] ?? 0),
          headers: head,
          body: rest.join("\r\n\r\n")
        })
      )
    }
    socket.on("data", (data) => {
      received += data.toString("latin1")
      // An upgraded connection stays open: its head is the whole answer.
      if (received.startsWith("HTTP/1.1 101") && received.includes("\r\n\r\n")) finish()
    })
    socket.on("end", finish)
    socket.on("error", (error) => resume(Effect.fail(error)))
    return Effect.sync(() => socket.destroy())
  })

/** A client over a real WebSocket that carries these headers. */
export const clientLayer = (port: number, headers: Record<string, string>) =>
  Layer.effect(RpcClient.Protocol, Client.makeProtocol).pipe(
    Layer.provide(NodeSocket.layerWebSocket(Client.addressOf(`http://127.0.0.1:${port}`), { headers }))
  )
