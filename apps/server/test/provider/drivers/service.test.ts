import { RequestId, ResumeToken, ThreadId, TurnId } from "@signalbox/contracts/Ids"
import { ProviderId, type ProviderRef } from "@signalbox/contracts/Provider"
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { randomUUID } from "node:crypto"
import * as SignedIn from "../../../src/provider/signin/SignedIn.ts"
import * as Adapters from "../../../src/compose/Adapters.ts"
import * as ProcessLedger from "@signalbox/process/ProcessLedgerLayer"
import * as Registry from "../../../src/provider/Layers/ProviderAdapterRegistry.ts"
import * as Catalog from "../../../src/provider/catalog/ProviderCatalog.ts"
import * as ProviderServiceLayer from "../../../src/provider/Layers/ProviderService.ts"
import { ProviderAdapterRegistry } from "../../../src/provider/Services/ProviderAdapterRegistry.ts"
import type { StartSession } from "../../../src/provider/Services/ProviderAdapter.ts"
import { ProviderCatalog } from "../../../src/provider/Services/ProviderCatalog.ts"
import * as SettingsFile from "../../../src/settings/SettingsFile.ts"
import { ProviderService } from "../../../src/provider/Services/ProviderService.ts"
import {
  type DirectoryEntry,
  ProviderSessionDirectory
} from "../../../src/provider/Services/ProviderSessionDirectory.ts"
import * as Tape from "../../../src/tape/Tape.ts"
import { temporaryFolder } from "./support/Programs.ts"
import { groupExists } from "../../support/AgentHarness.ts"
import { makeMemoryAdapter } from "./support/MemoryAdapter.ts"

const cursor: ProviderRef = { id: ProviderId.make("cursor"), kind: "cursor", name: "Cursor", simulated: false }
const eliza: ProviderRef = { id: ProviderId.make("eliza"), kind: "acp", name: "Eliza", simulated: true }
const simulated: ProviderRef = { ...cursor, id: ProviderId.make("cursor-simulated"), simulated: true }

const [a, b] = [ThreadId.make("a"), ThreadId.make("b")]
const turnId = TurnId.make("turn")

const start = (threadId: ThreadId, provider: ProviderRef, more: Partial<StartSession> = {}): StartSession => ({
  threadId,
  provider,
  providerOptions: {},
  cwd: "/ws",
  knownPrompts: [],
  settings: {},
  ...more
})

/** The service over two adapters in memory and a directory that holds `entries`. */
const setUp = Effect.fnUntraced(function* (
  entries: ReadonlyArray<DirectoryEntry> = [],
  stopping: Effect.Effect<void> = Effect.void
) {
  const cursorAdapter = yield* makeMemoryAdapter("cursor", stopping)
  const acpAdapter = yield* makeMemoryAdapter("acp", stopping)
  const directory = ProviderSessionDirectory.of({
    put: () => Effect.void,
    get: (threadId) => Effect.succeed(Option.fromUndefinedOr(entries.find((entry) => entry.threadId === threadId))),
    remove: () => Effect.void,
    foldersOf: () => Effect.succeed([]),
    threadsOf: (id) =>
      Effect.sync(() => {
        const ofAgent = entries.filter(({ providerId }) => providerId === id)
        return new Map(ofAgent.map(({ resumeToken, threadId }) => [resumeToken, threadId]))
      })
  })
  const layer = ProviderServiceLayer.layer.pipe(
    Layer.provide([
      Layer.succeed(ProviderAdapterRegistry, Registry.make({ cursor: cursorAdapter, acp: acpAdapter })),
      Layer.succeed(ProviderSessionDirectory, directory)
    ])
  )
  const service = yield* Effect.provide(ProviderService, layer)
  return { service, cursorAdapter, acpAdapter }
})

describe("ProviderService", () => {
  it.effect("routes every call to the adapter of the thread's provider", () =>
    Effect.gen(function* () {
      const { acpAdapter, cursorAdapter, service } = yield* setUp()
      yield* service.startSession(start(a, cursor))
      yield* service.startSession(start(b, eliza))
      for (const threadId of [a, b]) {
        yield* service.sendTurn(threadId, { turnId, prompt: [] })
        yield* service.interruptTurn(threadId, turnId)
        yield* service.respondToRequest(threadId, RequestId.make("r"), { type: "accept" })
        yield* service.setSetting(threadId, "mode", "plan")
        yield* service.readThread(threadId)
        yield* service.rollbackThread(threadId, turnId)
        assert.isTrue(yield* service.hasSession(threadId))
      }
      assert.strictEqual((yield* service.listSessions).length, 2)
      yield* service.stopSession(a)
      assert.isFalse(yield* service.hasSession(a))
      assert.isTrue(yield* service.hasSession(b))
      const methods = ["sendTurn", "interruptTurn", "respondToRequest", "setSetting", "readThread", "rollbackThread"]
      assert.deepStrictEqual(
        cursorAdapter.calls,
        [...methods, "stopSession"].map((method) => `${method} a`)
      )
      assert.deepStrictEqual(
        acpAdapter.calls,
        methods.map((method) => `${method} b`)
      )
      assert.strictEqual(service.adapterOf(cursor), cursorAdapter)
      assert.strictEqual(service.adapterOf(eliza), acpAdapter)
    })
  )

  it.effect("opens a session that the agent has kept in one thread only", () =>
    Effect.gen(function* () {
      const sessionId = ResumeToken.make("kept")
      const entry = { threadId: a, providerId: eliza.id, providerKind: eliza.kind, resumeToken: sessionId, cwd: "/ws" }
      const { service } = yield* setUp([entry])
      const from = { type: "import", sessionId } as const
      const { problem } = yield* Effect.flip(service.startSession(start(b, eliza, { from })))
      assert.strictEqual(problem.title, "Another thread goes on with this session.")
      assert.include(problem.cause, a)
      assert.isFalse(yield* service.hasSession(b))
      yield* service.startSession(start(a, eliza, { from }))
      yield* service.startSession(start(b, eliza, { from: { type: "fork", sessionId, threadId: a } }))
    })
  )

  it.effect("knows no session of a thread that was not started", () =>
    Effect.gen(function* () {
      const { service } = yield* setUp()
      const error = yield* Effect.flip(service.sendTurn(a, { turnId, prompt: [] }))
      assert.strictEqual(error.problem.code, "session-not-found")
      assert.isFalse(yield* service.hasSession(a))
      yield* service.stopSession(a)
      yield* service.startSession(start(a, cursor))
      yield* service.stopSession(a)
      assert.strictEqual(
        (yield* Effect.flip(service.sendTurn(a, { turnId, prompt: [] }))).problem.code,
        "session-not-found"
      )
    })
  )

  it.effect("takes the resume token from the directory, of the same provider and folder only", () =>
    Effect.gen(function* () {
      const resumeToken = ResumeToken.make("remembered")
      const entry = { threadId: a, providerId: cursor.id, providerKind: cursor.kind, resumeToken, cwd: "/ws" }
      const { cursorAdapter, service } = yield* setUp([entry])
      const resumes = Effect.fnUntraced(function* (input: StartSession) {
        yield* service.stopSession(input.threadId)
        const session = yield* service.startSession(input)
        return [cursorAdapter.starts.at(-1)?.resume, session.origin]
      })
      assert.deepStrictEqual(yield* resumes(start(a, cursor)), [resumeToken, "resumed"])
      assert.deepStrictEqual(yield* resumes(start(a, cursor, { cwd: "/other" })), [undefined, "new"])
      assert.deepStrictEqual(yield* resumes(start(a, simulated)), [undefined, "new"])
      assert.deepStrictEqual(yield* resumes(start(b, cursor)), [undefined, "new"])
      const given = ResumeToken.make("given")
      assert.deepStrictEqual(yield* resumes(start(a, cursor, { resume: given })), [given, "resumed"])
    })
  )

  it.effect("takes up the session of a thread whose agent was not known to be Cursor then", () =>
    Effect.gen(function* () {
      const resumeToken = ResumeToken.make("remembered")
      const entry = { threadId: a, providerId: cursor.id, providerKind: "acp", resumeToken, cwd: "/ws" }
      const { cursorAdapter, service } = yield* setUp([entry])
      yield* service.startSession(start(a, cursor))
      assert.deepStrictEqual(
        cursorAdapter.starts.map(({ resume }) => resume),
        [resumeToken]
      )
    })
  )

  it.effect("ends a thread's session before it starts one on another adapter", () =>
    Effect.gen(function* () {
      const { acpAdapter, cursorAdapter, service } = yield* setUp()
      yield* service.startSession(start(a, cursor))
      yield* service.startSession(start(a, eliza))
      assert.deepStrictEqual(cursorAdapter.calls, ["stopSession a"])
      assert.isTrue(yield* acpAdapter.hasSession(a))
      assert.strictEqual((yield* service.listSessions).length, 1)
    })
  )

  it.effect("merges what adapters emit, each in its own order, what came before the reader included", () =>
    Effect.gen(function* () {
      const { acpAdapter, cursorAdapter, service } = yield* setUp()
      const texts = (from: number) => Array.from({ length: 50 }, (_, index) => String(from + index))
      for (let from = 0; from < 1_000; from += 50) {
        yield* cursorAdapter.emit(a, texts(from))
        yield* acpAdapter.emit(b, texts(from))
      }
      const events = yield* Stream.runCollect(Stream.take(service.streamEvents, 2_000))
      for (const kind of ["cursor", "acp"]) {
        const own = events.filter((event) => event.providerKind === kind)
        assert.deepStrictEqual(
          own.map((event) => (event.type === "runtime.warning" ? Number(event.message) : -1)),
          Array.from({ length: 1_000 }, (_, index) => index)
        )
      }
    })
  )

  it.effect("hands chunks on whole, when they come, and one silent adapter holds up nobody", () =>
    Effect.gen(function* () {
      const { cursorAdapter, service } = yield* setUp()
      const sizes = yield* Queue.unbounded<number>()
      yield* Effect.forkChild(
        Stream.runForEachArray(service.streamEvents, (chunk) => Queue.offer(sizes, chunk.length)),
        { startImmediately: true }
      )
      yield* cursorAdapter.emit(a, ["1", "2", "3"])
      assert.strictEqual(yield* Queue.take(sizes), 3)
      yield* cursorAdapter.emit(a, ["4"])
      assert.strictEqual(yield* Queue.take(sizes), 1)
    })
  )

  it.effect("stops all adapters at the same time", () =>
    Effect.gen(function* () {
      const both = yield* Deferred.make<void>()
      let stopping = 0
      // Neither ends before both have begun: one after the other, this would wait for ever.
      const stop = Effect.suspend(() => {
        stopping += 1
        return stopping === 2 ? Effect.asVoid(Deferred.succeed(both, undefined)) : Deferred.await(both)
      })
      const { service } = yield* setUp([], stop)
      yield* service.startSession(start(a, cursor))
      yield* service.startSession(start(b, eliza))
      yield* service.stopAll
      assert.deepStrictEqual(yield* service.listSessions, [])
    })
  )
})

describe("ProviderService over the real adapters", () => {
  it.live("runs Cursor and Eliza side by side, and leaves no process behind", () =>
    Effect.gen(function* () {
      const folder = temporaryFolder()
      const remembered = new Map<ThreadId, DirectoryEntry>()
      const directory = ProviderSessionDirectory.of({
        put: (entry) => Effect.sync(() => void remembered.set(entry.threadId, entry)),
        get: (threadId) => Effect.sync(() => Option.fromUndefinedOr(remembered.get(threadId))),
        remove: (threadId) => Effect.sync(() => void remembered.delete(threadId)),
        threadsOf: () => Effect.succeed(new Map()),
        foldersOf: () => Effect.succeed([])
      })
      const registry = Adapters.layer.pipe(
        Layer.provide([
          Layer.succeed(ProviderSessionDirectory, directory),
          ProcessLedger.layerDisabled,
          SignedIn.layer,
          Tape.layerDisabled,
          NodeServices.layer
        ])
      )
      const layer = Layer.merge(
        ProviderServiceLayer.layer.pipe(Layer.provide(Layer.succeed(ProviderSessionDirectory, directory))),
        Catalog.layer(folder).pipe(Layer.provide(SettingsFile.layer({ folder })), Layer.provide(NodeServices.layer))
      ).pipe(Layer.provide(registry))
      yield* Effect.gen(function* () {
        const [service, catalog] = [yield* ProviderService, yield* ProviderCatalog]
        const run = Effect.fnUntraced(function* (threadId: ThreadId, id: string, text: string) {
          const { options, provider } = yield* catalog.get(ProviderId.make(id))
          const env = { ...options.cursor?.env, FAKE_CURSOR_TIME_SCALE: "0" }
          const providerOptions = options.cursor === undefined ? options : { cursor: { ...options.cursor, env } }
          const input = start(threadId, provider, { cwd: folder, providerOptions })
          const { origin } = yield* service.startSession(input)
          const prompt = [{ type: "text", text }] as const
          yield* service.sendTurn(threadId, { turnId: TurnId.make(randomUUID()), prompt })
          return origin
        })
        assert.deepStrictEqual(
          yield* Effect.all([run(a, "cursor-simulated", "good day"), run(b, "eliza", "I feel fine")], {
            concurrency: "unbounded"
          }),
          ["new", "new"]
        )
        // The thread's memory is with the agent: a new process takes the session up again.
        yield* service.stopSession(a)
        assert.strictEqual(yield* run(a, "cursor-simulated", "and again"), "loaded")
        const events = yield* service.streamEvents.pipe(
          Stream.filter(({ type }) => type === "turn.completed" || type === "session.started"),
          Stream.take(6),
          Stream.runCollect
        )
        const ends = events.filter((event) => event.type === "turn.completed")
        assert.deepStrictEqual(
          ends.map((event) => `${event.providerKind} ${event.threadId} ${event.outcome}`).toSorted(),
          ["acp b completed", "cursor a completed", "cursor a completed"]
        )
        const pids = events.flatMap((event) =>
          event.type === "session.started" && event.pid !== undefined ? [event.pid] : []
        )
        assert.strictEqual(pids.length, 3)
        assert.strictEqual((yield* service.listSessions).length, 2)
        yield* service.stopAll
        assert.deepStrictEqual(yield* service.listSessions, [])
        assert.deepStrictEqual(pids.filter(groupExists), [])
      }).pipe(Effect.provide(layer))
    })
  )
})
