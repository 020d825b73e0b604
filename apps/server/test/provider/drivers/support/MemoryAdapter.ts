import { EventId, ProviderSessionId, ResumeToken, type ThreadId } from "@signalbox/contracts/Ids"
import type { ProviderKind } from "@signalbox/contracts/Provider"
import type { ProviderRuntimeEvent } from "@signalbox/contracts/ProviderRuntimeEvent"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import type {
  ProviderAdapter,
  ProviderSession,
  StartSession
} from "../../../../src/provider/Services/ProviderAdapter.ts"
import { providerError } from "../../../../src/base/ProviderError.ts"

export interface MemoryAdapter extends ProviderAdapter {
  /** Every start, as it arrived. */
  readonly starts: ReadonlyArray<StartSession>
  /** What was called, as `method thread`. */
  readonly calls: ReadonlyArray<string>
  /** Emits a chunk of warnings with these texts on a thread. */
  readonly emit: (threadId: ThreadId, messages: ReadonlyArray<string>) => Effect.Effect<void>
}

/** An adapter that fulfils the contract without any process: sessions are entries in a map. */
export const makeMemoryAdapter = Effect.fnUntraced(function* (
  kind: ProviderKind,
  stopping: Effect.Effect<void> = Effect.void
) {
  const sessions = new Map<ThreadId, ProviderSession>()
  const starts: Array<StartSession> = []
  const calls: Array<string> = []
  const events = yield* Queue.unbounded<ReadonlyArray<ProviderRuntimeEvent>>()

  const inSession = (method: string, threadId: ThreadId) =>
    Effect.suspend(() => {
      calls.push(`${method} ${threadId}`)
      return sessions.has(threadId)
        ? Effect.void
        : Effect.fail(providerError("session-not-found", "No session.", "It was never started."))
    })

  const adapter: MemoryAdapter = {
    kind,
    capabilities: { rollback: { supported: false, reason: "In memory." }, resume: true, images: false },
    starts,
    calls,
    emit: (threadId, messages) =>
      Effect.asVoid(
        Queue.offer(
          events,
          messages.map((message) => ({
            type: "runtime.warning",
            eventId: EventId.make(`${kind}-${threadId}-${message}`),
            providerKind: kind,
            providerSessionId: ProviderSessionId.make(`${kind}-${threadId}`),
            threadId,
            at: 0,
            message
          }))
        )
      ),
    startSession: (input) =>
      Effect.sync(() => {
        starts.push(input)
        const session: ProviderSession = sessions.get(input.threadId) ?? {
          providerSessionId: ProviderSessionId.make(`${kind}-${input.threadId}`),
          threadId: input.threadId,
          provider: input.provider,
          resumeToken: input.resume ?? ResumeToken.make(`${kind}-${input.threadId}`),
          origin: input.resume === undefined ? "new" : "resumed"
        }
        sessions.set(input.threadId, session)
        return session
      }),
    sendTurn: (threadId) => inSession("sendTurn", threadId),
    steer: () => Effect.succeed("not-taken"),
    interruptTurn: (threadId) => inSession("interruptTurn", threadId),
    respondToRequest: (threadId) => inSession("respondToRequest", threadId),
    setProfile: (threadId) => inSession("setProfile", threadId),
    setSetting: (threadId) => inSession("setSetting", threadId),
    readThread: (threadId) => Effect.as(inSession("readThread", threadId), { items: [], turns: [] }),
    rollbackThread: (threadId) => inSession("rollbackThread", threadId),
    changeSession: (threadId) => Effect.as(inSession("changeSession", threadId), {}),
    stopSession: (threadId) =>
      Effect.sync(() => {
        calls.push(`stopSession ${threadId}`)
        sessions.delete(threadId)
      }),
    listSessions: Effect.sync(() => [...sessions.values()]),
    hasSession: (threadId) => Effect.sync(() => sessions.has(threadId)),
    health: Effect.succeed([]),
    stopAll: Effect.andThen(
      stopping,
      Effect.sync(() => sessions.clear())
    ),
    streamEvents: Stream.fromQueue(events).pipe(Stream.flatMap((chunk) => Stream.fromArray(chunk)))
  }
  return adapter
})
