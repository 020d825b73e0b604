/** The session of a thread's agent: started when it is needed, ended when people ask for it. */
import type { Problem } from "@signalbox/contracts/Problem"
import type { AgentOptions, ProviderOptions } from "@signalbox/contracts/Provider"
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
   * Starts the agent, unless it runs, or somebody stopped it after this call. If nobody needs it when its turn comes,
   * it is not started. Returns when the log has its start and its repeated history.
   */
  readonly ensure: (
    isWanted: () => boolean,
    isNeeded?: (head: ThreadHead) => boolean
  ) => Effect.Effect<void, ProviderError>
  /** Starts the agent as long as `isWanted`. On return a failure is in the log. */
  readonly startWhile: (isWanted: () => boolean) => Effect.Effect<void>
  /** Starts the agent on request of a person. A later stop cancels this start. */
  readonly start: () => Effect.Effect<void>
  /** Stores that the agent starts, and starts it. */
  readonly reopen: Effect.Effect<void>
  readonly stop: () => Effect.Effect<void>
}

/** Time for the events of a start to arrive in the log. */
const arrival = "30 seconds"

/** `lane`: starts, stops and changes of settings happen one after the other, in the order of their requests. */
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

  /** Starts the agent. Returns when the log has its start. */
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
      // `from` counts until a session is stored: an interrupted start must not lose the agent's history.
      ...(head.from !== undefined && head.session.sessionId === undefined && { from: head.from }),
      ...(head.additionalDirectories !== undefined && { additionalDirectories: head.additionalDirectories }),
      ...(head.mcpServers !== undefined && { mcpServers: head.mcpServers }),
      ...(head.components !== undefined && { components: head.components }),
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
    // The start may become useless while it waits for other agents.
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
    // The session was stopped before it existed, so it is stopped now.
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
    // The stop bypasses the lane, since it may be needed to unblock the lane.
    stop: Effect.fn("ThreadSession.stop")(() => provider.stopSession(threadId))
  }
})

/** The events of a failed start. Empty if the start was settled already. */
export const startFailed = (head: ThreadHead, problem: Problem): ReadonlyArray<Report> =>
  head.session.state === "starting" ? [{ type: "session.start.failed", problem }] : []

/** The agent's options on this machine, overridden by those of the thread. */
const overlay = (machine: AgentOptions, thread: ProviderOptions): AgentOptions => {
  const acp = thread.acp ?? machine.acp
  const cursor = machine.cursor || thread.cursor ? { ...machine.cursor, ...thread.cursor } : undefined
  // A thread never takes its agent out of the sandbox that the settings name, nor adds components to theirs.
  const { components, sandbox } = machine
  return {
    ...(cursor && { cursor }),
    ...(acp && { acp }),
    ...(sandbox !== undefined && { sandbox }),
    ...(components !== undefined && { components })
  }
}
