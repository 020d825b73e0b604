/**
 * One thread: handles commands and the agent's events one at a time, and runs its turns in order. It settles what an
 * earlier server left. It knows the store and the provider contract. Its host decides how long it lives, and on which
 * machine.
 */
import type { BootId, ThreadId } from "@signalbox/contracts/Ids"
import type { ThreadHead } from "@signalbox/contracts/ThreadView"
import type * as Intent from "@signalbox/threads/Intent"
import { reconcile, type Warning } from "@signalbox/threads/Reconciliation"
import * as SessionState from "@signalbox/threads/SessionState"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as MutableRef from "effect/MutableRef"
import * as Semaphore from "effect/Semaphore"
import { ThreadStore } from "../storage/ThreadStore.ts"
import * as HandedOver from "./HandedOver.ts"
import * as ProviderCommandReactor from "./ProviderCommandReactor.ts"
import type { ReactingThread } from "./ReactingThread.ts"
import * as ReactionLoop from "./ReactionLoop.ts"
import * as SessionHistory from "./SessionHistory.ts"
import * as ThreadCommands from "./ThreadCommands.ts"
import * as ThreadCommits from "./ThreadCommits.ts"
import * as ThreadFeed from "./ThreadFeed.ts"
import * as ThreadFolding from "./ThreadFolding.ts"
import * as ThreadIntake from "./ThreadIntake.ts"
import * as ThreadLoading from "./ThreadLoading.ts"
import * as ThreadLog from "./ThreadLog.ts"
import * as ThreadReading from "./ThreadReading.ts"
import * as ThreadRemoval from "./ThreadRemoval.ts"
import * as ThreadState from "./ThreadState.ts"
import * as ThreadWindow from "./ThreadWindow.ts"
import { untilPossible } from "./UntilPossible.ts"

/** The operations of a thread in memory. */
export interface ThreadActor {
  readonly threadId: ThreadId
  readonly commands: ThreadCommands.ThreadCommands
  readonly reading: ThreadReading.ThreadReading
  readonly intake: ThreadIntake.ThreadIntake
  readonly fold: ThreadFolding.ThreadFolding["fold"]
  readonly remove: ThreadRemoval.ThreadRemoval["remove"]
  readonly until: ThreadFeed.ThreadFeed["until"]
}

export type Resume = Intent.Resume

export interface Host {
  /** Runs an effect in the background, and keeps the thread in memory until its end. */
  readonly fork: (threadId: ThreadId, effect: Effect.Effect<void>) => Effect.Effect<void>
  readonly bootId: BootId
  readonly resume: Resume
  /**
   * Warnings about processes that the agent had left running under an earlier server. `name`: the agent's name, for
   * people.
   */
  readonly leftRunning: (threadId: ThreadId, name: string) => ReadonlyArray<Warning>
  /** Called with every new state. Synchronous. */
  readonly changed: (head: ThreadHead) => void
}

/** Makes the actor. `leftBehind`: an earlier server had not ended its work in the thread, which is settled first. */
export const make = Effect.fn("ThreadActor.make")(function* (threadId: ThreadId, host: Host, leftBehind: boolean) {
  const store = yield* ThreadStore
  const { providerOptions: stored, state, tail } = yield* ThreadLoading.load(store, threadId)
  const providerOptions = MutableRef.make(stored)
  const history = MutableRef.make(SessionHistory.none)
  const lane = yield* Semaphore.make(1)
  const fork = (effect: Effect.Effect<void>) => host.fork(threadId, Effect.annotateLogs(effect, { threadId }))

  const feed = ThreadFeed.make(() => state.head, host.changed)
  const log = ThreadLog.make(state, store, feed)
  const folding = ThreadFolding.make({ lane, log, fork })
  const reading = ThreadReading.make({ bootId: host.bootId, state, store, lane, feed, log })
  const commits = ThreadCommits.make({
    state,
    store,
    log,
    folding,
    history,
    follow: (occasion) => reactions.follow(occasion)
  })
  const intake = ThreadIntake.make({
    lane,
    state,
    log,
    fork,
    foldWhenDue: folding.whenDue,
    adopted: (step) => commits.adopted("received", step),
    isGone: feed.hasEnded
  })

  const thread: ReactingThread = {
    threadId,
    providerOptions: () => providerOptions.current,
    head: () => ThreadState.headOf(state),
    prompts: Effect.orDie(untilPossible(reading.prompts)),
    until: feed.until,
    fork,
    append: (reports) =>
      Effect.suspend(() => (feed.hasEnded() ? Effect.succeed(false) : commits.report(reports))).pipe(
        Semaphore.withPermit(lane),
        untilPossible,
        Effect.orDie
      )
  }
  const reactor = yield* ProviderCommandReactor.make(thread, history)
  const removal = ThreadRemoval.make({
    state,
    lane,
    feed,
    endAgent: reactor.end,
    stayed: Effect.suspend(() => reactions.follow({ type: "entered" }))
  })
  const reactions = ReactionLoop.make({
    head: () => state.head,
    resume: host.resume,
    isLeaving: removal.isLeaving,
    fork,
    carryOut: reactor.carryOut
  })
  const commands = yield* ThreadCommands.make({
    threadId,
    lane,
    head: () => state.head,
    isLeaving: removal.isLeaving,
    transcript: () => {
      const view = ThreadWindow.latest(state, mostTurns)
      return view && HandedOver.transcriptOf(view)
    },
    created: (options) => void MutableRef.set(providerOptions, options),
    commit: (events, receipt, sent) => commits.commit("commanded", events, receipt, sent)
  })

  /** Stores the consequences of an earlier server's end. Returns what must happen next. */
  const settle = Effect.fnUntraced(function* (head: ThreadHead) {
    const warnings = host.leftRunning(threadId, head.provider.name)
    const events = reconcile(head, yield* Clock.currentTimeMillis, warnings)
    if (events.length > 0) {
      yield* Effect.logInfo(`Settling what an earlier server left: ${events.map(({ type }) => type).join(", ")}`)
      yield* commits.commit("reported", events)
    }
    return { type: "recovered" as const, wasOpen: SessionState.isOn(head.session.state) }
  })
  const occasion = state.head && leftBehind ? yield* settle(state.head) : { type: "entered" as const }
  // Events that are only in memory are stored before the thread leaves memory.
  yield* Effect.addFinalizer(() =>
    intake.flush.pipe(Effect.catch((error) => Effect.logError("Text could not be kept.", { threadId }, error.message)))
  )
  if (tail >= longTail) yield* folding.soon
  yield* reactions.follow(occasion)

  const actor: ThreadActor = {
    threadId,
    commands,
    reading,
    intake,
    fold: folding.fold,
    remove: removal.remove,
    until: feed.until
  }
  return actor
})

/** More turns than a transcript can have. */
const mostTurns = 200

/** Most events since the last fold, since they are read again at every start. */
const longTail = 4096
