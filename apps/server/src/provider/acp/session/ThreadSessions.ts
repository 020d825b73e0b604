/** The sessions of an adapter: at most one for each thread. It starts, finds, replaces and stops them by thread. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import type { ProviderId } from "@signalbox/contracts/Provider"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import type { ProviderError } from "../../../base/ProviderError.ts"
import type { StartSession } from "../../Services/ProviderAdapter.ts"
import { noSession } from "../connection/AgentProblems.ts"
import * as AcpSession from "./AcpSession.ts"
import type * as SessionStart from "./SessionStart.ts"
import * as SessionSlots from "./SessionSlots.ts"

export interface ThreadSessions {
  readonly dependencies: SessionStart.Dependencies
  readonly slots: SessionSlots.SessionSlots
  /** Holds work that continues when its callers have left. */
  readonly background: Scope.Scope
}

/** Makes the sessions. Closing the scope stops all of them. */
export const make = Effect.fnUntraced(function* (
  dependencies: SessionStart.Dependencies
): Effect.fn.Return<ThreadSessions, never, Scope.Scope> {
  // Forked before the finalizer is added, so it closes after the finalizer has run.
  const background = yield* Scope.fork(yield* Effect.scope)
  const sessions: ThreadSessions = { dependencies, slots: yield* SessionSlots.make, background }
  yield* Effect.addFinalizer(() => stopAll(sessions))
  return sessions
})

/** Starts the session of a thread, or joins a start that is in progress. */
export const start = Effect.fnUntraced(function* (
  sessions: ThreadSessions,
  input: StartSession
): Effect.fn.Return<AcpSession.AcpSession, ProviderError> {
  for (;;) {
    const { slot, type } = yield* claimed(sessions, input)
    if (type !== "ending") return yield* Deferred.await(slot.session)
    // The next session begins only after the end of the one before was emitted.
    yield* Deferred.await(slot.released)
  }
})

/**
 * Claims the thread's slot, and begins the start if it was free. Uninterruptible: a slot without a start would never be
 * released.
 */
const claimed = (sessions: ThreadSessions, input: StartSession): Effect.Effect<SessionSlots.Claim> =>
  SessionSlots.claim(sessions.slots, input.threadId).pipe(
    Effect.tap(({ slot, type }) => (type === "fresh" ? begin(sessions, slot, input) : Effect.void)),
    Effect.uninterruptible
  )

/** Starts a session in the background, after `before`. It continues if its callers leave. */
const begin = (
  { background, dependencies, slots }: ThreadSessions,
  slot: SessionSlots.Slot,
  input: StartSession,
  before: Effect.Effect<void> = Effect.void
): Effect.Effect<void> => {
  const onRequests: SessionStart.Dependencies["onRequests"] = (requests) => SessionSlots.note(slots, slot, { requests })
  const run = before.pipe(
    Effect.andThen(Scope.provide(AcpSession.start(input, { ...dependencies, onRequests }), slot.scope)),
    Effect.onExit((exit) => {
      if (Exit.isSuccess(exit))
        return Effect.andThen(
          SessionSlots.note(slots, slot, { live: exit.value }),
          Deferred.succeed(slot.session, exit.value)
        )
      const failure = Exit.hasInterrupts(exit) ? Exit.fail(noSession(dependencies.profile.name)) : exit
      return Effect.andThen(SessionSlots.vacate(slots, slot), Deferred.done(slot.session, failure))
    }),
    Effect.tap((session) => Effect.forkIn(Effect.andThen(session.gone, SessionSlots.vacate(slots, slot)), background)),
    Effect.exit
  )
  // Starts the fiber at once: interrupted before its first step, it would leave its callers waiting.
  return Effect.flatMap(Effect.forkIn(run, background, { startImmediately: true }), (starting) =>
    SessionSlots.note(slots, slot, { starting })
  )
}

/** The session of a thread, after its start. Fails if the thread has no session that accepts calls. */
export const get = Effect.fnUntraced(function* (
  { dependencies, slots }: ThreadSessions,
  threadId: ThreadId
): Effect.fn.Return<AcpSession.AcpSession, ProviderError> {
  const slot = yield* SessionSlots.slotOf(slots, threadId)
  if (slot !== undefined && !SessionSlots.isEnding(slot)) return yield* Deferred.await(slot.session)
  return yield* slot?.live?.unavailable ?? Effect.fail(noSession(dependencies.profile.name))
})

/**
 * Takes answers of people for a thread. It does not wait for the session's start, since the start may wait for an
 * answer.
 */
export const requestsOf = Effect.fnUntraced(function* (sessions: ThreadSessions, threadId: ThreadId) {
  const slot = yield* SessionSlots.slotOf(sessions.slots, threadId)
  if (slot?.requests !== undefined && !SessionSlots.isEnding(slot)) return slot.requests
  return yield* get(sessions, threadId)
})

/** Replaces a session that did not stop: a new process resumes it. Calls in the meantime wait for the new session. */
export const replace = Effect.fnUntraced(function* (
  sessions: ThreadSessions,
  threadId: ThreadId,
  stuck: AcpSession.AcpSession
) {
  const { background, slots } = sessions
  const slot = yield* SessionSlots.takeOver(slots, threadId, stuck).pipe(
    Effect.tap((slot) =>
      slot === undefined ? Effect.void : begin(sessions, slot, stuck.continuation(), stuck.escalate)
    ),
    Effect.uninterruptible
  )
  if (slot === undefined) return yield* stuck.escalate
  yield* Deferred.await(slot.session).pipe(
    Effect.catch(({ problem }) => Effect.sync(() => stuck.report(problem))),
    Effect.forkIn(background)
  )
  yield* stuck.gone
})

/** Stops the session of a thread, even during its start. Does nothing if the thread has no session. */
export const stop = Effect.fnUntraced(function* ({ slots }: ThreadSessions, threadId: ThreadId) {
  const slot = yield* SessionSlots.slotOf(slots, threadId)
  if (slot === undefined) return
  if (slot.live === undefined && slot.starting !== undefined) yield* Fiber.interrupt(slot.starting)
  // The session may have started before the interruption.
  const now = yield* SessionSlots.slotOf(slots, threadId)
  if (now?.released !== slot.released || now.live === undefined) return
  yield* now.live.stop
  yield* Deferred.await(slot.released)
})

export const stopAll = (sessions: ThreadSessions): Effect.Effect<void> =>
  Effect.flatMap(SessionSlots.list(sessions.slots), (slots) =>
    Effect.forEach(slots, ({ threadId }) => stop(sessions, threadId), { concurrency: "unbounded", discard: true })
  )

/**
 * Stops the sessions that need a sign-in: their processes may not notice a new one. The next prompt starts another
 * process.
 */
export const renewRefused = (sessions: ThreadSessions, id: ProviderId): Effect.Effect<void> =>
  Effect.flatMap(live(sessions), (all) =>
    Effect.forEach(
      all.filter(({ session, wantsLogin }) => session.provider.id === id && wantsLogin()),
      ({ session }) => stop(sessions, session.threadId),
      { concurrency: "unbounded", discard: true }
    )
  )

/** The sessions that have started, including those that are being released. */
export const live = ({ slots }: ThreadSessions): Effect.Effect<ReadonlyArray<AcpSession.AcpSession>> =>
  Effect.map(SessionSlots.list(slots), (all) => all.flatMap(({ live }) => (live === undefined ? [] : [live])))
