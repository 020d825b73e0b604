/**
 * One thread: takes commands and what its agent does, one at a time, and runs its turns one after the other. It settles what an earlier
 * server left. Knows the store and the provider contract; who keeps it, and on which machine, is the host's business.
 */
import type { BootId, Cursor, ItemId, Sequence, ThreadId } from "@signalbox/contracts/Ids"
import { OutputNotFound, type ThreadFrame, ThreadNotFound } from "@signalbox/contracts/Rpc"
import type { OrchestrationEvent, ThreadEvent } from "@signalbox/contracts/ThreadEvent"
import type { ThreadHead, ThreadPage } from "@signalbox/contracts/ThreadView"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as MutableRef from "effect/MutableRef"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import type { StorageError } from "../storage/StorageError.ts"
import { ThreadStore } from "../storage/ThreadStore.ts"
import type { FollowError } from "./Followers.ts"
import * as HandedOver from "./HandedOver.ts"
import type * as Intent from "@signalbox/threads/Intent"
import * as ProviderCommandReactor from "./ProviderCommandReactor.ts"
import * as ReactionLoop from "./ReactionLoop.ts"
import type { ReactingThread } from "./ReactingThread.ts"
import { reconcile, type Warning } from "@signalbox/threads/Reconciliation"
import * as SessionState from "@signalbox/threads/SessionState"
import * as SessionHistory from "./SessionHistory.ts"
import * as ThreadCommands from "./ThreadCommands.ts"
import * as ThreadFolding from "./ThreadFolding.ts"
import * as ThreadIntake from "./ThreadIntake.ts"
import * as ThreadLoading from "./ThreadLoading.ts"
import * as ThreadLog from "./ThreadLog.ts"
import * as ThreadRemoval from "./ThreadRemoval.ts"
import { untilPossible } from "./UntilPossible.ts"

export interface ThreadActor {
  readonly threadId: ThreadId
  readonly head: () => ThreadHead | undefined
  readonly handle: ThreadCommands.ThreadCommands["handle"]
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
  readonly fold: ThreadFolding.ThreadFolding["fold"]
  readonly remove: ThreadRemoval.ThreadRemoval["remove"]
  readonly until: ThreadLog.ThreadLog["until"]
  readonly intake: ThreadIntake.ThreadIntake
}

export type Resume = Intent.Resume

export interface Host {
  /** Runs something in the background, and keeps the thread in memory until it ends. */
  readonly fork: (threadId: ThreadId, effect: Effect.Effect<void>) => Effect.Effect<void>
  readonly bootId: BootId
  readonly resume: Resume
  /** What became of processes that an earlier server's agent of the thread had left running. `name`: the agent, as people call it. */
  readonly leftRunning: (threadId: ThreadId, name: string) => ReadonlyArray<Warning>
  /** Told every new state, synchronously. */
  readonly changed: (head: ThreadHead) => void
}

/** `leftBehind`: an earlier server had not ended its work in the thread, which is settled before anything else is done. */
export const make = Effect.fn("ThreadActor.make")(function* (threadId: ThreadId, host: Host, leftBehind: boolean) {
  const store = yield* ThreadStore
  const loaded = yield* ThreadLoading.load(store, threadId)
  const log = ThreadLog.make(threadId, loaded.state, store, host.bootId, host.changed)
  const lane = yield* Semaphore.make(1)
  const inLane = Semaphore.withPermit(lane)
  const history = MutableRef.make(SessionHistory.none)
  let { providerOptions } = loaded
  const fork = (effect: Effect.Effect<void>) => host.fork(threadId, Effect.annotateLogs(effect, { threadId }))

  const existing = (): ThreadHead => {
    const head = log.head()
    if (head === undefined) throw new Error(`The thread ${threadId} acts before it was created.`)
    return head
  }

  const folding = ThreadFolding.make({ lane, log, fork })

  /** Makes a committed step the state, and sets in motion what follows from it. */
  const adopted = (type: Committed, step: ThreadLog.Step): Effect.Effect<void> =>
    Effect.suspend(() => {
      const { events } = step.commit
      // Before anybody learns of the new state and acts on it.
      MutableRef.update(history, (before) =>
        events.reduce((seen, { event }) => SessionHistory.after(seen, event), before)
      )
      step.adopt()
      const turnEnded = events.some(({ event }) => endings.has(event.type))
      return Effect.andThen(turnEnded ? folding.soon : folding.whenDue, reactions.follow({ type, events }))
    })

  const commit = (type: Committed, events: ReadonlyArray<ThreadEvent>, receipt?: ThreadLog.ReceiptOf) =>
    Effect.flatMap(log.stage(events, receipt && { receipt }), (step) =>
      Effect.as(Effect.andThen(store.commit([step.commit]), adopted(type, step)), step.commit)
    ).pipe(Effect.uninterruptible)

  const intake = ThreadIntake.make({
    threadId,
    lane,
    log,
    fork,
    foldWhenDue: folding.whenDue,
    adopted: (step) => adopted("received", step),
    isGone: () => removal.isGone(),
    tool: (itemId) => {
      const item = loaded.state.item(itemId)
      return item?.type === "tool" ? item.tool : undefined
    }
  })

  const thread: ReactingThread = {
    threadId,
    providerOptions: () => providerOptions,
    head: existing,
    prompts: Effect.orDie(untilPossible(inLane(log.prompts))),
    until: log.until,
    fork,
    append: (reports) =>
      Effect.gen(function* () {
        if (removal.isGone()) return false
        const at = yield* Clock.currentTimeMillis
        const events = reports(existing()).map((report): OrchestrationEvent => ({ ...report, threadId, at }))
        if (events.length > 0) yield* commit("reported", events)
        return events.length > 0
      }).pipe(inLane, untilPossible, Effect.orDie)
  }
  const reactor = yield* ProviderCommandReactor.make(thread, history)
  const reactions = ReactionLoop.make({
    head: log.head,
    resume: host.resume,
    isLeaving: () => removal.isLeaving(),
    fork,
    carryOut: reactor.carryOut
  })

  const removal = ThreadRemoval.make({
    threadId,
    lane,
    log,
    endAgent: reactor.end,
    stayed: reactions.follow({ type: "entered" })
  })

  const commands = yield* ThreadCommands.make({
    threadId,
    lane,
    head: log.head,
    isLeaving: removal.isLeaving,
    transcript: () => {
      const view = loaded.state.latest(mostTurns)
      return view && HandedOver.transcriptOf(view)
    },
    created: (options) => {
      providerOptions = options
    },
    commit: (events, receipt) => commit("commanded", events, receipt)
  })

  const watch: ThreadActor["watch"] = ({ after, turnLimit }) =>
    Stream.unwrap(
      Effect.suspend(() =>
        log.head() === undefined || removal.isGone()
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

  /** Puts on record what an earlier server left. Gives what that calls for. */
  const settle = Effect.fnUntraced(function* (head: ThreadHead) {
    const { state } = head.session
    const warnings = host.leftRunning(threadId, head.provider.name)
    const events = reconcile(head, yield* Clock.currentTimeMillis, warnings)
    if (events.length > 0) {
      yield* Effect.logInfo(`Settling what an earlier server left: ${events.map(({ type }) => type).join(", ")}`)
      yield* commit("reported", events)
    }
    return { type: "recovered" as const, wasOpen: SessionState.isOn(state) }
  })

  const head = log.head()
  const occasion = head && leftBehind ? yield* settle(head) : { type: "entered" as const }
  // What is in memory only is written before the thread leaves it.
  yield* Effect.addFinalizer(() =>
    intake.flush.pipe(Effect.catch((error) => Effect.logError("Text could not be kept.", { threadId }, error.message)))
  )
  if (loaded.tail >= longTail) yield* folding.soon
  yield* reactions.follow(occasion)

  const actor: ThreadActor = {
    threadId,
    head: log.head,
    handle: commands.handle,
    watch,
    earlier: (before, turnLimit) => inLane(log.earlier(before, turnLimit)),
    later: (from, until) => inLane(log.later(from, until)),
    output,
    fold: folding.fold,
    remove: removal.remove,
    until: log.until,
    intake
  }
  return actor
})

/** Who brought the events of a step. */
type Committed = Extract<Intent.Occasion, { readonly events: unknown }>["type"]

/** More turns than a transcript can hold. */
const mostTurns = 200

const endings: ReadonlySet<ThreadEvent["type"]> = new Set(["turn.completed", "turn.failed", "turn.lost"])

/** Events since the last fold that are too many to be read again at every start. */
const longTail = 4096
