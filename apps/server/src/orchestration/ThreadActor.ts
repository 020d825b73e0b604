/**
 * One thread: takes commands and what its agent does, one at a time, runs its turns one after the other, and settles what an
 * earlier server left. Knows the store and the provider contract; who keeps it, and on which machine, is the host's business.
 */
import { type CommandEnvelope, CommandRejected, type Receipt } from "@signalbox/contracts/Command"
import type { BootId, Cursor, ItemId, Sequence, ThreadId } from "@signalbox/contracts/Ids"
import type { Problem } from "@signalbox/contracts/Problem"
import { OutputNotFound, ThreadChanged, type ThreadFrame, ThreadNotFound } from "@signalbox/contracts/Rpc"
import type { OrchestrationEvent, ThreadEvent } from "@signalbox/contracts/ThreadEvent"
import * as ThreadProjection from "@signalbox/threads/ThreadProjection"
import type { ThreadHead, ThreadPage, TurnView } from "@signalbox/contracts/ThreadView"
import * as TurnQueue from "@signalbox/threads/TurnQueue"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import { patternTest } from "../base/PatternMatch.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { ThreadStore } from "../storage/ThreadStore.ts"
import { ProviderService } from "../provider/Services/ProviderService.ts"
import { digestOf } from "./CommandDigest.ts"
import { decide, type Facts } from "@signalbox/threads/Decider"
import type { FollowError } from "./Followers.ts"
import * as HandedOver from "./HandedOver.ts"
import * as Interjection from "@signalbox/threads/Interjection"
import * as ProviderCommandReactor from "./ProviderCommandReactor.ts"
import { reconcile, type Warning } from "@signalbox/threads/Reconciliation"
import * as ThreadIntake from "./ThreadIntake.ts"
import * as ThreadLoading from "./ThreadLoading.ts"
import * as ThreadLog from "./ThreadLog.ts"
import { untilPossible } from "./UntilPossible.ts"

export interface ThreadActor {
  readonly threadId: ThreadId
  readonly head: () => ThreadHead | undefined
  /** Takes a command once; see `Threads.send`. */
  readonly handle: (
    envelope: CommandEnvelope,
    facts: Pick<Facts, "creation" | "remembered" | "client">
  ) => Effect.Effect<Receipt, CommandRejected>
  /** See `Threads.watch`; `after` is a place of this run of the server. */
  readonly watch: (options: {
    readonly after?: Sequence
    readonly turnLimit?: number
  }) => Stream.Stream<ThreadFrame, FollowError>
  /** See `Threads.earlier`. */
  readonly earlier: (before: Cursor, turnLimit: number) => Effect.Effect<ThreadPage, StorageError>
  /** See `Threads.later`. */
  readonly later: (from: Cursor | undefined, until: Cursor) => Effect.Effect<ThreadPage, StorageError>
  /** See `Threads.output`. */
  readonly output: (itemId: ItemId, part: string) => Stream.Stream<string, OutputNotFound | StorageError>
  /** Puts the state in the place of the log. */
  readonly fold: Effect.Effect<void, StorageError>
  /** Ends the agent, then the thread: `erase` is done with nothing beside it, and whoever follows the thread is told. */
  readonly remove: <E>(
    erase: Effect.Effect<void, E>,
    ifSequence: Sequence | undefined
  ) => Effect.Effect<void, E | ThreadChanged>
  readonly until: ThreadLog.ThreadLog["until"]
  readonly intake: ThreadIntake.ThreadIntake
}

/** With the next prompt, or at once. */
export type Resume = "on-prompt" | "at-once"

export interface Host {
  /** Runs something in the background, and keeps the thread in memory until it ends. */
  readonly fork: (threadId: ThreadId, effect: Effect.Effect<void>) => Effect.Effect<void>
  readonly bootId: BootId
  /** When an agent that ended without being asked to, or with an earlier server, is started again. */
  readonly resume: Resume
  /** What became of processes that an earlier server's agent of the thread had left running. `name`: the agent, as people call it. */
  readonly leftRunning: (threadId: ThreadId, name: string) => ReadonlyArray<Warning>
  /** Told every new state, synchronously. */
  readonly changed: (head: ThreadHead) => void
}

/** `leftBehind`: an earlier server had not ended its work in the thread, which is settled before anything else is done. */
export const make = Effect.fn("ThreadActor.make")(function* (threadId: ThreadId, host: Host, leftBehind: boolean) {
  const store = yield* ThreadStore
  const provider = yield* ProviderService
  const loaded = yield* ThreadLoading.load(store, threadId)
  const log = ThreadLog.make(threadId, loaded.state, store, host.bootId, host.changed)
  const lane = yield* Semaphore.make(1)
  const inLane = Semaphore.withPermit(lane)
  let { providerOptions } = loaded
  /** A turn is being run; the next one waits for it. */
  let running = false
  /** One is being given to the agent in the middle of another. */
  let interjecting = false
  let folding = false
  /** Takes no commands any more; then also nothing of its agent. */
  let leaving = false
  let gone = false

  const fork = (effect: Effect.Effect<void>) => host.fork(threadId, Effect.annotateLogs(effect, { threadId }))

  const existing = (): ThreadHead => {
    const head = log.head()
    if (head === undefined) throw new Error(`The thread ${threadId} acts before it was created.`)
    return head
  }

  const fold = Effect.suspend(() => log.fold).pipe(inLane, Effect.withSpan("ThreadActor.fold"))

  const foldSoon = Effect.suspend(() => {
    if (folding) return Effect.void
    folding = true
    return fork(
      fold.pipe(
        Effect.catch((error) => Effect.logWarning(error.message)),
        Effect.ensuring(Effect.sync(() => (folding = false)))
      )
    )
  })

  const foldWhenDue = Effect.suspend(() => (log.isFoldDue() ? foldSoon : Effect.void))

  /** Makes a committed step the state, and sets in motion what follows from it. */
  const adopted = (step: ThreadLog.Step): Effect.Effect<void> =>
    Effect.suspend(() => {
      let turnEnded = false
      let crashed = false
      // Before anybody learns of the new state and acts on it.
      for (const { event } of step.commit.events) {
        reactor.note(event)
        if (endings.has(event.type)) turnEnded = true
        if (event.type === "session.exited" && !event.expected) crashed = true
      }
      step.adopt()
      return Effect.andThen(
        turnEnded ? foldSoon : foldWhenDue,
        crashed && host.resume === "at-once" ? Effect.andThen(advance, fork(reactor.revive)) : advance
      )
    })

  const commit = (events: ReadonlyArray<ThreadEvent>, receipt?: ThreadLog.ReceiptOf) =>
    Effect.flatMap(log.stage(events, receipt && { receipt }), (step) =>
      Effect.as(Effect.andThen(store.commit([step.commit]), adopted(step)), step.commit)
    ).pipe(Effect.uninterruptible)

  const intake = ThreadIntake.make({
    threadId,
    lane,
    log,
    fork,
    foldWhenDue,
    adopted,
    isGone: () => gone,
    tool: (itemId) => {
      const item = loaded.state.item(itemId)
      return item?.type === "tool" ? item.tool : undefined
    }
  })

  const reactor = yield* ProviderCommandReactor.make({
    threadId,
    providerOptions: () => providerOptions,
    head: existing,
    prompts: Effect.orDie(untilPossible(inLane(log.prompts))),
    until: log.until,
    fork,
    append: (reports) =>
      Effect.gen(function* () {
        if (gone) return false
        const at = yield* Clock.currentTimeMillis
        const events = reports(existing()).map((report): OrchestrationEvent => ({ ...report, threadId, at }))
        if (events.length > 0) yield* commit(events)
        return events.length > 0
      }).pipe(inLane, untilPossible, Effect.orDie)
  })

  /** Runs the next turn, unless one is running; then gives the agent what is to come between. */
  const advance: Effect.Effect<void> = Effect.suspend(() => {
    const head = log.head()
    if (leaving || head === undefined) return Effect.void
    const interjection = Interjection.next(head)
    if (interjection) return interjecting ? Effect.void : interject(interjection.turn)
    const next = TurnQueue.next(head)
    return running || next === undefined || ThreadProjection.runningTurn(head) ? Effect.void : run(next)
  })

  const run = (turn: TurnView) => {
    running = true
    const over = Effect.sync(() => (running = false))
    return fork(Effect.suspend(() => reactor.runTurn(turn.turnId)).pipe(Effect.ensuring(over), andNext(turn)))
  }

  const interject = (turn: TurnView) => {
    interjecting = true
    const over = Effect.sync(() => (interjecting = false))
    return fork(Effect.suspend(() => reactor.interject(turn.turnId)).pipe(Effect.ensuring(over), andNext(turn)))
  }

  /** A turn that could not even be ended on record is left alone, and settled when the next server starts. */
  const andNext = (turn: TurnView) =>
    Effect.andThen(Effect.suspend(() => (TurnQueue.next(existing()) === turn ? Effect.void : advance)))

  const reject = (envelope: CommandEnvelope, problem: Problem) =>
    new CommandRejected({ commandId: envelope.commandId, problem })

  const whatWasSaid = () => {
    const view = loaded.state.latest(mostTurns)
    return view && HandedOver.transcriptOf(view)
  }

  const handle: ThreadActor["handle"] = Effect.fn("ThreadActor.handle")(
    function* (envelope: CommandEnvelope, given: Pick<Facts, "creation" | "remembered" | "client">) {
      const { command, commandId } = envelope
      if (leaving) return yield* reject(envelope, noSuchThread(threadId))
      const digest = digestOf(command)
      const earlier = yield* store.receipt(threadId, commandId)
      if (earlier?.digest !== undefined && earlier.digest !== digest) return yield* reject(envelope, usedId)
      if (earlier?.problem) return yield* reject(envelope, earlier.problem)
      if (earlier) return { commandId, sequence: earlier.sequence }

      const at = yield* Clock.currentTimeMillis
      const turnKnown = "turnId" in command && (yield* store.hasTurn(threadId, command.turnId))
      const noRollback = whyNoRollback(log.head(), provider)
      const transcript = command.type === "queue.hold" && command.transcript ? whatWasSaid() : undefined
      const facts: Facts = {
        ...given,
        threadId,
        now: at,
        patternTest,
        turnKnown,
        ...(transcript !== undefined && { transcript }),
        ...(noRollback !== undefined && { noRollback })
      }
      const decision = decide(log.head(), command, facts)
      if (Result.isFailure(decision)) {
        yield* commit([], { commandId, digest, at, problem: decision.failure })
        return yield* reject(envelope, decision.failure)
      }
      if (command.type === "thread.create") providerOptions = command.providerOptions ?? {}
      const { receipt } = yield* commit(decision.success, { commandId, digest, at })
      for (const event of decision.success) yield* fork(reactor.react(event))
      return { commandId, sequence: receipt?.sequence ?? existing().sequence }
    },
    (effect, envelope) => Effect.catchTag(effect, "StorageError", (error) => reject(envelope, error.problem)),
    inLane,
    Effect.uninterruptible
  )

  const watch: ThreadActor["watch"] = ({ after, turnLimit }) =>
    Stream.unwrap(
      Effect.suspend(() =>
        log.head() === undefined || gone
          ? Effect.fail(new ThreadNotFound({ threadId }))
          : log.follow(after, turnLimit, inLane)
      ).pipe(inLane)
    )

  const output: ThreadActor["output"] = (itemId, part) =>
    Stream.unwrap(
      Effect.gen(function* () {
        const item = yield* inLane(log.item(itemId))
        const long = item?.type === "tool" ? item.tool.long?.find((text) => text.part === part) : undefined
        if (long === undefined) return yield* new OutputNotFound({ itemId, part })
        return Stream.mapEffect(Stream.fromIterable(long.chunks), (name) =>
          Effect.flatMap(store.chunk(threadId, name), (text) =>
            text === undefined ? Effect.fail(new OutputNotFound({ itemId, part })) : Effect.succeed(text)
          )
        )
      })
    )

  const leave = Effect.fnUntraced(function* (ifSequence: Sequence | undefined) {
    const changed = ifSequence !== undefined && log.head()?.sequence !== ifSequence
    if (changed) return yield* new ThreadChanged({ threadId })
    leaving = true
  }, inLane)

  const remove = Effect.fn("ThreadActor.remove")(function* <E>(
    erase: Effect.Effect<void, E>,
    ifSequence: Sequence | undefined
  ) {
    yield* leave(ifSequence)
    yield* Effect.timeoutOption(reactor.end, "5 seconds")
    yield* erase.pipe(
      Effect.andThen(
        Effect.sync(() => {
          gone = true
          log.end(new ThreadNotFound({ threadId }))
        })
      ),
      Effect.tapCause(() =>
        Effect.andThen(
          Effect.sync(() => (leaving = false)),
          advance
        )
      ),
      inLane
    )
  }, Effect.uninterruptible)

  if (loaded.state.head() && leftBehind) {
    const { session } = existing()
    const head = existing()
    const warnings = host.leftRunning(threadId, head.provider.name)
    const events = reconcile(head, yield* Clock.currentTimeMillis, warnings)
    if (events.length > 0) {
      yield* Effect.logInfo(`Settling what an earlier server left: ${events.map(({ type }) => type).join(", ")}`)
      yield* commit(events)
    }
    const wasOpen = session.state === "ready" || session.state === "starting"
    const waits = TurnQueue.next(existing()) !== undefined
    if (host.resume === "at-once" && wasOpen && !waits) yield* fork(reactor.start)
  }
  // What is in memory only is written before the thread leaves it.
  yield* Effect.addFinalizer(() =>
    intake.flush.pipe(Effect.catch((error) => Effect.logError("Text could not be kept.", { threadId }, error.message)))
  )
  if (loaded.tail >= longTail) yield* foldSoon
  yield* advance

  const actor: ThreadActor = {
    threadId,
    head: log.head,
    handle,
    watch,
    earlier: (before, turnLimit) => inLane(log.earlier(before, turnLimit)),
    later: (from, until) => inLane(log.later(from, until)),
    output,
    fold,
    remove,
    until: log.until,
    intake
  }
  return actor
})

/** More turns than a transcript can hold. */
const mostTurns = 200

const endings: ReadonlySet<ThreadEvent["type"]> = new Set(["turn.completed", "turn.failed", "turn.lost"])

/** Events since the last fold that are too many to be read again at every start. */
const longTail = 4096

const noSuchThread = (threadId: ThreadId): Problem => ({
  code: "command-invalid",
  title: "There is no such thread.",
  cause: `No thread is called ${threadId}.`,
  evidence: {},
  nextSteps: []
})

const usedId: Problem = {
  code: "command-invalid",
  title: "This command id was used for something else.",
  cause: "A command is sent again with the same id and the same content; another command needs an id of its own.",
  evidence: {},
  nextSteps: []
}

const whyNoRollback = (head: ThreadHead | undefined, provider: ProviderService["Service"]): string | undefined => {
  if (head === undefined) return undefined
  const { rollback } = head.session.capabilities ?? provider.adapterOf(head.provider).capabilities
  return rollback.supported ? undefined : rollback.reason
}
