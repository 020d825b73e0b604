/** An adapter out of a profile: at most one session for each thread, and one stream for what all of them emit. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import type { ProviderId } from "@signalbox/contracts/Provider"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { McpServers } from "../../../mcp/McpServers.ts"
import { Tape } from "../../../tape/Tape.ts"
import { OwnFolders } from "../../../workspace/ProtectedPaths.ts"
import type { ProviderAdapter, StartSession } from "../../Services/ProviderAdapter.ts"
import { type ProviderError, providerError } from "../../../base/ProviderError.ts"
import { ProcessLedger } from "../../../process/ProcessLedger.ts"
import { SignedIn } from "../../Services/SignedIn.ts"
import { ProviderSessionDirectory } from "../../Services/ProviderSessionDirectory.ts"
import * as AcpSession from "./AcpSession.ts"
import * as SessionChange from "./SessionChange.ts"
import { noSession } from "../connection/AgentProblems.ts"
import type { AgentProfile } from "../profile/AgentProfile.ts"
import * as AgentRoster from "./AgentRoster.ts"
import * as EventOutlet from "../../Services/EventOutlet.ts"
import { IdleLimit } from "../profile/IdleLimit.ts"
import type { OpenRequests } from "../requests/OpenRequests.ts"
import * as ProcessFacts from "../../../process/ProcessFacts.ts"
import { defaultTiming, type Timing } from "../profile/SessionTiming.ts"
import { StartAdmission } from "../../../process/StartAdmission.ts"

/** The place of a thread's session, from the moment in which its start begins. */
interface Slot {
  readonly scope: Scope.Closeable
  readonly session: Deferred.Deferred<AcpSession.AcpSession, ProviderError>
  /** Completes when everything of it is released, the tape on the disk. */
  readonly released: Deferred.Deferred<void>
  starting: Fiber.Fiber<unknown> | undefined
  /** It is being released. Until that is done nothing takes its place, so that no two processes ever share a session. */
  closing: boolean
  live: AcpSession.AcpSession | undefined
  /** What it asks people, also while it starts. */
  requests: OpenRequests | undefined
}

export interface Options {
  readonly timing?: Partial<Timing>
  /** Whether people can be shown a terminal to sign in; not unless given. */
  readonly terminalSignIn?: boolean
}

/** Closing the scope stops all sessions. */
export const make = Effect.fnUntraced(function* (
  profile: AgentProfile,
  options: Options = {}
): Effect.fn.Return<ProviderAdapter, never, Scope.Scope | ProcessLedger | ProviderSessionDirectory | SignedIn | Tape> {
  // Made before the finalizer below is added, it is closed after that has run.
  const background = yield* Scope.fork(yield* Effect.scope)
  const outlet = EventOutlet.make()
  const roster = AgentRoster.make(ProcessFacts.ofThisSystem)
  const dependencies = {
    profile,
    outlet,
    directory: yield* ProviderSessionDirectory,
    tape: yield* Tape,
    ledger: yield* ProcessLedger,
    signedIn: yield* SignedIn,
    roster,
    timing: { ...defaultTiming, ...options.timing },
    admission: yield* StartAdmission,
    idleLimit: yield* IdleLimit,
    terminalSignIn: options.terminalSignIn ?? false,
    mcpServers: yield* McpServers,
    ownFolders: yield* OwnFolders
  }
  const slots = new Map<ThreadId, Slot>()

  const vacate = (threadId: ThreadId, slot: Slot) =>
    Effect.suspend(() => {
      slot.closing = true
      return Effect.flatMap(Scope.close(slot.scope, Exit.void), () => {
        if (slots.get(threadId) === slot) slots.delete(threadId)
        return Deferred.succeed(slot.released, undefined)
      })
    })

  /** Takes the thread's place and starts in the background, after `before`: callers come and go. */
  const occupy = (input: StartSession, before: Effect.Effect<void> = Effect.void): Effect.Effect<Slot> =>
    Effect.suspend(() => {
      const { threadId } = input
      const slot: Slot = {
        scope: Scope.makeUnsafe(),
        session: Deferred.makeUnsafe(),
        released: Deferred.makeUnsafe(),
        starting: undefined,
        closing: false,
        live: undefined,
        requests: undefined
      }
      const onRequests = (requests: OpenRequests) => {
        slot.requests = requests
      }
      slots.set(threadId, slot)
      const run = before.pipe(
        Effect.andThen(Scope.provide(AcpSession.start(input, { ...dependencies, onRequests }), slot.scope)),
        Effect.onExit((exit) => {
          if (Exit.isSuccess(exit)) {
            slot.live = exit.value
            return Deferred.succeed(slot.session, exit.value)
          }
          const failure = Exit.hasInterrupts(exit) ? Exit.fail(noSession(profile.name)) : exit
          return Effect.andThen(vacate(threadId, slot), Deferred.done(slot.session, failure))
        }),
        Effect.tap((session) => Effect.forkIn(Effect.andThen(session.gone, vacate(threadId, slot)), background)),
        Effect.exit
      )
      // Begun at once: interrupted before it begins, it would leave its callers waiting.
      return Effect.map(Effect.forkIn(run, background, { startImmediately: true }), (fiber) => {
        slot.starting = fiber
        return slot
      })
    })

  const isEnding = ({ closing, live }: Slot): boolean => closing || live?.isLive() === false

  /** The thread's place, unless its session is at its end. */
  const slotOf = (threadId: ThreadId): Slot | undefined => {
    const slot = slots.get(threadId)
    return slot === undefined || isEnding(slot) ? undefined : slot
  }

  const sessionOf = (threadId: ThreadId): Effect.Effect<AcpSession.AcpSession, ProviderError> =>
    Effect.suspend(() => {
      const slot = slotOf(threadId)
      if (slot !== undefined) return Deferred.await(slot.session)
      return slots.get(threadId)?.live?.unavailable ?? Effect.fail(noSession(profile.name))
    })

  const startSession: ProviderAdapter["startSession"] = Effect.fn("AcpAdapter.startSession")(function* (input) {
    // The one before is gone, and its end told, before the next begins.
    for (let ending = slots.get(input.threadId); ending !== undefined && isEnding(ending);) {
      yield* Deferred.await(ending.released)
      ending = slots.get(input.threadId)
    }
    const slot = slotOf(input.threadId) ?? (yield* occupy(input))
    return (yield* Deferred.await(slot.session)).session
  })

  /** A new process takes up the session of one that did not stop; what is asked meanwhile waits for it. */
  const replace = Effect.fnUntraced(function* (threadId: ThreadId, stuck: AcpSession.AcpSession) {
    if (slots.get(threadId)?.live !== stuck) return yield* stuck.escalate
    const slot = yield* occupy(stuck.continuation(), stuck.escalate)
    yield* Deferred.await(slot.session).pipe(
      Effect.catch(({ problem }) => Effect.sync(() => stuck.report(problem))),
      Effect.forkIn(background)
    )
    yield* stuck.gone
  })

  const stopSession = Effect.fn("AcpAdapter.stopSession")(function* (threadId: ThreadId) {
    const slot = slots.get(threadId)
    if (slot === undefined) return
    if (slot.live === undefined && slot.starting !== undefined) yield* Fiber.interrupt(slot.starting)
    if (slot.live === undefined) return
    yield* slot.live.stop
    yield* Deferred.await(slot.released)
  })

  /** A process that was refused may not see that somebody has signed in since: the next prompt starts another. */
  const renewRefused = (id: ProviderId) =>
    Effect.forEach(
      [...slots.values()].filter(({ live }) => live?.session.provider.id === id && live.wantsLogin()),
      ({ live }) => (live === undefined ? Effect.void : stopSession(live.session.threadId)),
      { concurrency: "unbounded", discard: true }
    )
  yield* Effect.forkIn(Stream.runForEach(dependencies.signedIn.changes, renewRefused), background)

  const stopAll = Effect.suspend(() =>
    Effect.forEach([...slots.keys()], stopSession, { concurrency: "unbounded", discard: true })
  )
  yield* Effect.addFinalizer(() => stopAll)

  return {
    kind: profile.kind,
    capabilities: profile.capabilities,
    startSession,
    sendTurn: Effect.fn("AcpAdapter.sendTurn")(function* (threadId, turn) {
      yield* (yield* sessionOf(threadId)).prompt(turn)
    }),
    steer: Effect.fn("AcpAdapter.steer")(function* (threadId, steering) {
      return yield* (yield* sessionOf(threadId)).steer(steering)
    }),
    interruptTurn: Effect.fn("AcpAdapter.interruptTurn")(function* (threadId, turnId) {
      const session = yield* sessionOf(threadId)
      if ((yield* session.interrupt(turnId)) === "stuck") yield* replace(threadId, session)
    }),
    respondToRequest: Effect.fn("AcpAdapter.respondToRequest")(function* (threadId, requestId, response, client) {
      // A start that waits for this answer is not to be waited for.
      const { requests } = slotOf(threadId) ?? { requests: undefined }
      yield* (requests ?? (yield* sessionOf(threadId))).respond(requestId, response, client)
    }),
    setSetting: Effect.fn("AcpAdapter.setSetting")(function* (threadId, settingId, value) {
      yield* (yield* sessionOf(threadId)).setSetting(settingId, value)
    }),
    readThread: Effect.fn("AcpAdapter.readThread")(function* (threadId) {
      return (yield* sessionOf(threadId)).view()
    }),
    rollbackThread: Effect.fn("AcpAdapter.rollbackThread")(function* () {
      const { rollback } = profile.capabilities
      return yield* providerError(
        "unsupported",
        `${profile.name} cannot go back.`,
        rollback.supported ? "It is not part of the protocol." : rollback.reason
      )
    }),
    changeSession: Effect.fn("AcpAdapter.changeSession")(function* (threadId, change) {
      const changed = yield* (yield* sessionOf(threadId)).change(change)
      if (SessionChange.endsIt(change)) yield* stopSession(threadId)
      return changed
    }),
    stopSession,
    listSessions: Effect.sync(() =>
      [...slots.values()].flatMap(({ live }) => (live?.isLive() === true ? [live.session] : []))
    ),
    hasSession: (threadId) => Effect.sync(() => slots.get(threadId)?.live?.isLive() === true),
    stopAll,
    health: roster.health,
    streamEvents: outlet.stream
  }
})
