/** The session of a thread's agent: started when it is needed, ended when people ask for that. */
import type { Problem } from "@signalbox/contracts/Problem"
import type { ProviderOptions } from "@signalbox/contracts/Provider"
import type { ThreadHead } from "@signalbox/contracts/ThreadView"
import * as TurnQueue from "@signalbox/threads/TurnQueue"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as MutableRef from "effect/MutableRef"
import * as Semaphore from "effect/Semaphore"
import { ProviderCatalog } from "../provider/Services/ProviderCatalog.ts"
import type { ProviderError } from "../base/ProviderError.ts"
import { ProviderService } from "../provider/Services/ProviderService.ts"
import { reporting, stoppedMeanwhile, takenBack } from "./ReactionProblems.ts"
import type { ReactingThread } from "./ReactingThread.ts"
import type { Report } from "@signalbox/threads/Report"
import * as SessionHistory from "./SessionHistory.ts"
import * as StartNotes from "./StartNotes.ts"

export interface ThreadSession {
  /**
   * Starts the agent, unless it runs or somebody stopped it since this was asked for. When its turn comes and nobody needs it any more, it
   * is not started. Returns when the log has taken in that it runs, and what it told of its past.
   */
  readonly ensure: (
    isWanted: () => boolean,
    isNeeded?: (head: ThreadHead) => boolean
  ) => Effect.Effect<void, ProviderError>
  /** Starts the agent as long as `isWanted`. A failure is on record when this returns. */
  readonly startWhile: (isWanted: () => boolean) => Effect.Effect<void>
  /** Starts the agent because somebody asked for it now: a stop that comes after this call takes that back. */
  readonly start: () => Effect.Effect<void>
  /** Puts on record that the agent starts, and starts it. */
  readonly reopen: Effect.Effect<void>
  readonly stop: () => Effect.Effect<void>
}

/** How long what a start emitted may take to arrive in the log. */
const arrival = "30 seconds"

/** `lane`: starting, stopping and setting happen one after the other, in the order in which they were asked for. */
export const make = Effect.fnUntraced(function* (
  thread: ReactingThread,
  history: MutableRef.MutableRef<SessionHistory.SessionHistory>,
  lane: Semaphore.Semaphore
): Effect.fn.Return<ThreadSession, never, ProviderService | ProviderCatalog> {
  const provider = yield* ProviderService
  const catalog = yield* ProviderCatalog
  const { append, threadId, until } = thread
  const notes = yield* StartNotes.make(thread)
  const noteFailure = Effect.map(Clock.currentTimeMillis, (at) =>
    MutableRef.update(history, (before) => SessionHistory.failed(before, at))
  )

  /** Returns when the log has taken in that the agent runs. */
  const begin = Effect.gen(function* () {
    const head = thread.head()
    const { options, provider: ref } = yield* catalog.get(head.provider.id)
    const session = yield* provider.startSession({
      threadId,
      provider: ref,
      providerOptions: overlay(options, thread.providerOptions()),
      cwd: head.cwd,
      knownPrompts: yield* thread.prompts,
      settings: head.desired,
      // Until there is a session on record: what it tells of its past must not be lost with a start that was cut off.
      ...(head.from !== undefined && head.session.sessionId === undefined && { from: head.from }),
      ...(head.additionalDirectories !== undefined && { additionalDirectories: head.additionalDirectories }),
      ...(head.mcpServers !== undefined && { mcpServers: head.mcpServers }),
      ...notes
    })
    yield* until(({ session: { providerSessionId } }) => providerSessionId === session.providerSessionId).pipe(
      Effect.timeoutOption(arrival)
    )
  })

  const ensure = Effect.fn("ThreadSession.ensure")(function* (
    isWanted: () => boolean,
    isNeeded: (head: ThreadHead) => boolean = () => true
  ) {
    if (!isWanted() || !isNeeded(thread.head()) || (yield* provider.hasSession(threadId))) return
    yield* append((head) => (head.session.state === "starting" ? [] : [{ type: "session.start.requested" }]))
    // While it waits for others to start, nobody may come to need it: then it does not start.
    const noUse = (head: ThreadHead) =>
      head.session.waiting !== undefined && !isNeeded(head) && TurnQueue.next(head) === undefined
    yield* begin.pipe(
      Effect.raceFirst(
        until(noUse).pipe(
          Effect.andThen(provider.stopSession(threadId)),
          Effect.andThen(Effect.suspend(() => Effect.fail(takenBack(thread.head()))))
        )
      ),
      Effect.tapError(() => noteFailure),
      Effect.catchIf(
        () => !isWanted(),
        () => Effect.void
      )
    )
    if (isWanted()) return
    // It was stopped before there was anything to stop.
    yield* provider.stopSession(threadId)
    yield* append((head) => startFailed(head, stoppedMeanwhile(head)))
  }, Semaphore.withPermit(lane))

  const startWhile = (isWanted: () => boolean) =>
    ensure(isWanted).pipe(
      Effect.andThen(append((head) => (isWanted() ? [] : startFailed(head, stoppedMeanwhile(head))))),
      Effect.asVoid,
      reporting((problem) => append((head) => startFailed(head, problem)))
    )

  const start = () => startWhile(SessionHistory.untilStopped(history))

  const reopen = Effect.andThen(
    append(({ session }) => (session.state === "starting" ? [] : [{ type: "session.start.requested" }])),
    Effect.suspend(start)
  )

  return {
    ensure,
    startWhile,
    start,
    reopen,
    // Not in the lane: what holds it up may be what the session is stopped for.
    stop: Effect.fn("ThreadSession.stop")(() => provider.stopSession(threadId))
  }
})

/** A start that a turn or a command was waiting for; nothing if it has been settled already. */
export const startFailed = (head: ThreadHead, problem: Problem): ReadonlyArray<Report> =>
  head.session.state === "starting" ? [{ type: "session.start.failed", problem }] : []

/** The options of the agent on this machine, and over them those of the thread. */
const overlay = (machine: ProviderOptions, thread: ProviderOptions): ProviderOptions => {
  const acp = thread.acp ?? machine.acp
  const cursor = machine.cursor || thread.cursor ? { ...machine.cursor, ...thread.cursor } : undefined
  return { ...(cursor && { cursor }), ...(acp && { acp }) }
}
