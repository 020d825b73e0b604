/** Routes calls on a thread to its adapter. */
import type { ResumeToken, ThreadId } from "@signalbox/contracts/Ids"
import type { ProviderKind } from "@signalbox/contracts/Provider"
import type { ProviderRuntimeEvent } from "@signalbox/contracts/ProviderRuntimeEvent"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import * as Stream from "effect/Stream"
import { weightOf } from "../../base/EventWeight.ts"
import * as EventOutlet from "../Services/EventOutlet.ts"
import type { ProviderAdapter, StartSession } from "../Services/ProviderAdapter.ts"
import { ProviderAdapterRegistry } from "../Services/ProviderAdapterRegistry.ts"
import { type ProviderError, providerError } from "../../base/ProviderError.ts"
import { ProviderService } from "../Services/ProviderService.ts"
import { ProviderSessionDirectory } from "../Services/ProviderSessionDirectory.ts"

const make = Effect.gen(function* () {
  const registry = yield* ProviderAdapterRegistry
  const directory = yield* ProviderSessionDirectory
  /** The kind of each thread's latest agent. Only the adapter knows whether its session still runs. */
  const routes = yield* Ref.make(HashMap.empty<ThreadId, ProviderKind>())

  const adapterOf = (threadId: ThreadId): Effect.Effect<ProviderAdapter | undefined> =>
    Effect.map(Ref.get(routes), (all) => Option.getOrUndefined(Option.map(HashMap.get(all, threadId), registry.get)))

  const onAdapter = <A>(
    threadId: ThreadId,
    use: (adapter: ProviderAdapter) => Effect.Effect<A, ProviderError>
  ): Effect.Effect<A, ProviderError> =>
    Effect.flatMap(adapterOf(threadId), (adapter) => (adapter === undefined ? Effect.fail(noSession) : use(adapter)))

  /**
   * The stored session of the thread. One of another agent, or of another folder, does not count: it would be a foreign
   * session.
   */
  const remembered = Effect.fnUntraced(function* ({ cwd, provider, threadId }: StartSession) {
    const entry = yield* directory.get(threadId)
    return Option.match(entry, {
      onNone: (): ResumeToken | undefined => undefined,
      onSome: (known) =>
        // Compares ids and not kinds, since a kind may be recognised later while the agent is unchanged.
        known.providerId === provider.id && known.cwd === cwd ? known.resumeToken : undefined
    })
  })

  /** Refuses an import if another thread has the session: two processes that write one session would damage it. */
  const notTaken = Effect.fnUntraced(function* ({ from, provider, threadId }: StartSession) {
    if (from?.type !== "import") return
    const holder = (yield* directory.threadsOf(provider.id)).get(from.sessionId)
    if (holder === undefined || holder === threadId) return
    return yield* providerError(
      "command-invalid",
      "Another thread goes on with this session.",
      `It is open in thread ${holder}. A copy of it may go its own way, where ${provider.name} offers that.`
    )
  })

  const startSession = Effect.fn("ProviderService.startSession")(function* (input: StartSession) {
    const { kind } = input.provider
    const before = yield* adapterOf(input.threadId)
    // A thread has one session, so the one on another adapter ends before the next begins.
    if (before !== undefined && before.kind !== kind) yield* before.stopSession(input.threadId)
    yield* Ref.update(routes, HashMap.set(input.threadId, kind))
    const resume = input.resume ?? (yield* remembered(input))
    if (resume === undefined) yield* notTaken(input)
    return yield* registry.get(kind).startSession(resume === undefined ? input : { ...input, resume })
  })

  return ProviderService.of({
    startSession,
    sendTurn: (threadId, turn) => onAdapter(threadId, (adapter) => adapter.sendTurn(threadId, turn)),
    steer: (threadId, steering) => onAdapter(threadId, (adapter) => adapter.steer(threadId, steering)),
    interruptTurn: (threadId, turnId) => onAdapter(threadId, (adapter) => adapter.interruptTurn(threadId, turnId)),
    respondToRequest: (threadId, requestId, response, client) =>
      onAdapter(threadId, (adapter) => adapter.respondToRequest(threadId, requestId, response, client)),
    setProfile: (threadId, profile) => onAdapter(threadId, (adapter) => adapter.setProfile(threadId, profile)),
    setSetting: (threadId, settingId, value) =>
      onAdapter(threadId, (adapter) => adapter.setSetting(threadId, settingId, value)),
    readThread: (threadId) => onAdapter(threadId, (adapter) => adapter.readThread(threadId)),
    rollbackThread: (threadId, turnId) => onAdapter(threadId, (adapter) => adapter.rollbackThread(threadId, turnId)),
    changeSession: (threadId, change) => onAdapter(threadId, (adapter) => adapter.changeSession(threadId, change)),
    stopSession: (threadId) =>
      Effect.flatMap(adapterOf(threadId), (adapter) => adapter?.stopSession(threadId) ?? Effect.void),
    hasSession: (threadId) =>
      Effect.flatMap(adapterOf(threadId), (adapter) => adapter?.hasSession(threadId) ?? Effect.succeed(false)),
    listSessions: Effect.map(
      Effect.forEach(registry.all, (adapter) => adapter.listSessions),
      (sessions) => sessions.flat()
    ),
    health: Effect.map(
      Effect.forEach(registry.all, (adapter) => adapter.health, { concurrency: "unbounded" }),
      (agents) => agents.flat()
    ),
    stopAll: Effect.forEach(registry.all, (adapter) => adapter.stopAll, { concurrency: "unbounded", discard: true }),
    streamEvents: Stream.unwrap(merged(registry.all.map((adapter) => adapter.streamEvents))),
    adapterOf: (provider) => registry.get(provider.kind)
  })
})

/**
 * Merges streams into one. Each chunk is passed on synchronously, since a queue would delay it by one turn of the event
 * loop. The order within a thread stays, since a thread runs on one adapter.
 */
const merged = Effect.fnUntraced(function* (streams: ReadonlyArray<Stream.Stream<ProviderRuntimeEvent>>) {
  const outlet = EventOutlet.make()
  const pass = (chunk: ReadonlyArray<ProviderRuntimeEvent>) =>
    Effect.suspend(() => {
      outlet.offer(chunk, weightOf(chunk))
      return outlet.isFull() ? outlet.room : Effect.void
    })
  yield* Effect.forEach(streams, (stream) => Effect.forkScoped(Stream.runForEachArray(stream, pass)))
  return outlet.stream
})

const noSession = providerError(
  "session-not-found",
  "No agent is running for this thread.",
  "Its session has not been started since this server started."
)

export const layer: Layer.Layer<ProviderService, never, ProviderAdapterRegistry | ProviderSessionDirectory> =
  Layer.effect(ProviderService, make)
