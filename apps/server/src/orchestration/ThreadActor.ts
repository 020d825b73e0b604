/**
 * One thread: takes commands and what its agent does, one at a time, runs its turns one after the other, and settles what an
 * earlier server left. Knows the store and the provider contract; who keeps it, and on which machine, is the host's business.
 */
import { type CommandEnvelope, CommandRejected, type Receipt } from "@signalbox/contracts/Command"
import type { BootId, Sequence, ThreadId } from "@signalbox/contracts/Ids"
import type { Problem } from "@signalbox/contracts/Problem"
import type { ProviderOptions } from "@signalbox/contracts/Provider"
import type { ProviderRuntimeEvent } from "@signalbox/contracts/ProviderRuntimeEvent"
import { type ThreadFrame, ThreadNotFound } from "@signalbox/contracts/Rpc"
import type { OrchestrationEvent, ThreadEvent } from "@signalbox/contracts/ThreadEvent"
import * as ThreadProjection from "@signalbox/contracts/ThreadProjection"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import { joinAdjacent } from "../persistence/EventJoining.ts"
import { StorageError } from "../persistence/StorageError.ts"
import { ThreadStore } from "../persistence/ThreadStore.ts"
import { ProviderService } from "../provider/Services/ProviderService.ts"
import { decide, type Facts } from "./Decider.ts"
import { fitting } from "./FittingEvent.ts"
import * as ProviderCommandReactor from "./ProviderCommandReactor.ts"
import { reconcile } from "./Reconciliation.ts"
import * as ThreadLog from "./ThreadLog.ts"

export interface ThreadActor {
  readonly threadId: ThreadId
  readonly view: () => ThreadView | undefined
  /** Takes a command once; see `Threads.send`. */
  readonly handle: (
    envelope: CommandEnvelope,
    facts: Pick<Facts, "creation">
  ) => Effect.Effect<Receipt, CommandRejected>
  /** See `Threads.watch`. */
  readonly watch: (after?: Sequence) => Stream.Stream<ThreadFrame, ThreadNotFound>
  readonly until: ThreadLog.ThreadLog["until"]
  /** For `ingest`: what the agent did, as a step not taken yet, and what follows from having taken it. Only within the lane. */
  readonly lane: Semaphore.Semaphore
  readonly stage: (events: ReadonlyArray<ProviderRuntimeEvent>) => ThreadLog.Staged
  readonly adopted: (staged: ThreadLog.Staged) => Effect.Effect<void>
}

export interface Host {
  /** Runs something in the background, and keeps the thread in memory until it ends. */
  readonly fork: (threadId: ThreadId, effect: Effect.Effect<void>) => Effect.Effect<void>
  readonly bootId: BootId
  /** Told every new state, synchronously. */
  readonly changed: (view: ThreadView) => void
}

/** Events that a client may be behind and still get them one by one, not the whole state anew. */
const furthestReplay = 5000

/** Takes in what agents did, for several threads in one transaction. Waits, and holds its agents up, while the disk refuses. */
export const ingest = (
  batches: ReadonlyArray<{ readonly actor: ThreadActor; readonly events: ReadonlyArray<ProviderRuntimeEvent> }>
): Effect.Effect<void, StorageError, ThreadStore> => {
  const step = Effect.flatMap(ThreadStore, (store) => {
    const staged = batches.map(({ actor, events }) => actor.stage(events))
    return Effect.andThen(
      store.commit(staged.map(({ commit }) => commit)),
      Effect.forEach(batches, ({ actor }, index) => actor.adopted(staged[index]!), { discard: true })
    )
  })
  const inLanes = batches.reduce((inner, { actor }) => actor.lane.withPermit(inner), Effect.uninterruptible(step))
  return untilPossible(inLanes)
}

/**
 * Repeats what failed for a passing reason: a full disk, a lock held by another program. Goes around the lane, so that
 * commands are told of it meanwhile.
 */
const untilPossible = <A, R>(effect: Effect.Effect<A, StorageError, R>) =>
  effect.pipe(
    Effect.tapError((error) => Effect.logWarning(error.message)),
    Effect.retry({
      while: (error) => error.passing,
      schedule: Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("5 seconds")])
    })
  )

/** `leftBehind`: an earlier server had not ended its work in the thread, which is settled before anything else is done. */
export const make = Effect.fn("ThreadActor.make")(function* (threadId: ThreadId, host: Host, leftBehind: boolean) {
  const store = yield* ThreadStore
  const provider = yield* ProviderService
  const stored = yield* store.load(threadId)
  const log = ThreadLog.make(threadId, stored?.view, host.bootId, host.changed)
  const lane = yield* Semaphore.make(1)
  const inLane = Semaphore.withPermit(lane)
  let providerOptions: ProviderOptions = stored?.providerOptions ?? {}
  /** A turn is being run; the next one waits for it. */
  let running = false

  const fork = (effect: Effect.Effect<void>) => host.fork(threadId, Effect.annotateLogs(effect, { threadId }))

  /** Makes a committed step the state, and sets in motion what follows from it. */
  const adopted = (staged: ThreadLog.Staged): Effect.Effect<void> =>
    Effect.suspend(() => {
      staged.adopt()
      const { events } = staged.commit
      const last = events.at(-1)
      const turnEnded = events.some(({ event }) => endings.has(event.type))
      return turnEnded && last ? Effect.andThen(fork(compact(last.sequence)), advance) : advance
    })

  const commit = (events: ReadonlyArray<ThreadEvent>, receipt?: ThreadLog.ReceiptOf) =>
    Effect.suspend(() => {
      const staged = log.stage(events, receipt)
      return Effect.as(Effect.andThen(store.commit([staged.commit]), adopted(staged)), staged.commit)
    }).pipe(Effect.uninterruptible)

  const compact = (through: Sequence): Effect.Effect<void> =>
    store.compact(threadId, through).pipe(Effect.catch((error) => Effect.logWarning(error.message)))

  const existing = (): ThreadView => {
    const view = log.view()
    if (view === undefined) throw new Error(`The thread ${threadId} acts before it was created.`)
    return view
  }

  const reactor = yield* ProviderCommandReactor.make({
    threadId,
    providerOptions: () => providerOptions,
    view: existing,
    until: log.until,
    append: (reports) =>
      Effect.gen(function* () {
        const at = yield* Clock.currentTimeMillis
        const events = reports(existing()).map((report): OrchestrationEvent => ({ ...report, threadId, at }))
        if (events.length > 0) yield* commit(events)
        return events.length > 0
      }).pipe(inLane, untilPossible, Effect.orDie)
  })

  /** Runs the next turn, unless one is running. */
  const advance: Effect.Effect<void> = Effect.suspend(() => {
    const view = log.view()
    if (running || view === undefined || ThreadProjection.runningTurn(view)) return Effect.void
    const next = view.turns.find(({ status }) => status === "queued")
    if (next === undefined) return Effect.void
    running = true
    const { turnId } = next
    return fork(
      Effect.suspend(() => reactor.runTurn(turnId)).pipe(
        Effect.ensuring(Effect.sync(() => (running = false))),
        // A turn that could not even be ended on record is left alone, and settled when the next server starts.
        Effect.andThen(Effect.suspend(() => (existing().turns.some((turn) => turn === next) ? Effect.void : advance)))
      )
    )
  })

  const reject = (envelope: CommandEnvelope, problem: Problem) =>
    new CommandRejected({ commandId: envelope.commandId, problem })

  const handle: ThreadActor["handle"] = Effect.fn("ThreadActor.handle")(
    function* (envelope: CommandEnvelope, given: Pick<Facts, "creation">) {
      const { command, commandId } = envelope
      const earlier = yield* store.receipt(threadId, commandId)
      if (earlier?.problem) return yield* reject(envelope, earlier.problem)
      if (earlier) return { commandId, sequence: earlier.sequence }

      const now = yield* Clock.currentTimeMillis
      const turnKnown = command.type === "turn.start" && (yield* store.hasTurn(threadId, command.turnId))
      const noRollback = whyNoRollback(log.view(), provider)
      const facts: Facts = { ...given, threadId, now, turnKnown, ...(noRollback !== undefined && { noRollback }) }
      const decision = decide(log.view(), command, facts)
      if (Result.isFailure(decision)) {
        yield* commit([], { commandId, at: now, problem: decision.failure })
        return yield* reject(envelope, decision.failure)
      }
      if (command.type === "thread.create") providerOptions = command.providerOptions ?? {}
      const { receipt } = yield* commit(decision.success, { commandId, at: now })
      for (const event of decision.success) yield* fork(reactor.react(event))
      return { commandId, sequence: receipt?.sequence ?? existing().sequence }
    },
    (effect, envelope) => Effect.catchTag(effect, "StorageError", (error) => reject(envelope, error.problem)),
    inLane,
    Effect.uninterruptible
  )

  /** A log that can't be read is no reason to show nothing: the state is in memory. */
  const replay = (after: Sequence, through: Sequence) =>
    store.replay(threadId, after, through).pipe(
      Effect.map(Option.getOrUndefined),
      Effect.catch((error) => Effect.as(Effect.logWarning(error.message), undefined))
    )

  const watch: ThreadActor["watch"] = (after) =>
    Stream.unwrap(
      Effect.gen(function* () {
        const view = log.view()
        if (view === undefined) return yield* new ThreadNotFound({ threadId })
        const inReach = after !== undefined && after <= view.sequence && view.sequence - after <= furthestReplay
        const replayed = inReach ? yield* replay(after, view.sequence) : undefined
        return yield* log.follow(replayed)
      }).pipe(inLane)
    )

  if (stored && leftBehind) {
    const events = reconcile(stored.view, yield* Clock.currentTimeMillis)
    if (events.length > 0) {
      yield* Effect.logInfo(`Settling what an earlier server left: ${events.map(({ type }) => type).join(", ")}`)
      yield* commit(events)
    }
  }
  yield* advance

  const actor: ThreadActor = {
    threadId,
    view: log.view,
    handle,
    watch,
    until: log.until,
    lane,
    stage: (events) => log.stage(joinAdjacent(events.map(fitting))),
    adopted
  }
  return actor
})

const endings: ReadonlySet<ThreadEvent["type"]> = new Set(["turn.completed", "turn.failed", "turn.lost"])

const whyNoRollback = (view: ThreadView | undefined, provider: ProviderService["Service"]): string | undefined => {
  if (view === undefined) return undefined
  const { rollback } = view.session.capabilities ?? provider.adapterOf(view.provider).capabilities
  return rollback.supported ? undefined : rollback.reason
}
