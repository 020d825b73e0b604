/** Starts a thread's agent again that ended by itself. The record of its runs since the thread came into memory says when. */
import type { Timestamp } from "@signalbox/contracts/Ids"
import type { ThreadHead } from "@signalbox/contracts/ThreadView"
import * as ThreadProjection from "@signalbox/threads/ThreadProjection"
import * as TurnQueue from "@signalbox/threads/TurnQueue"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as MutableRef from "effect/MutableRef"
import * as Random from "effect/Random"
import { ProviderError, providerError } from "../base/ProviderError.ts"
import { ProviderService } from "../provider/Services/ProviderService.ts"
import type { ReactingThread } from "./ReactingThread.ts"
import { reporting } from "./ReactionProblems.ts"
import * as RestartBackoff from "@signalbox/process/RestartBackoff"
import * as SessionHistory from "./SessionHistory.ts"
import type { ThreadSession } from "./ThreadSession.ts"

export interface SessionRestarts {
  /** Starts the agent again after it ended by itself, in its time, and until it has ended too often. Leaves that to a turn, if one waits. */
  readonly revive: Effect.Effect<void>
  /** Waits until an agent that ended by itself may be started again for what has waited since before then. It ends early when `isMoot`. */
  readonly afterCrash: (
    waitingSince: () => Timestamp | undefined,
    isMoot: (head: ThreadHead) => boolean
  ) => Effect.Effect<void, ProviderError>
}

export const make = Effect.fnUntraced(function* (
  thread: ReactingThread,
  session: Pick<ThreadSession, "startWhile">,
  history: MutableRef.MutableRef<SessionHistory.SessionHistory>
): Effect.fn.Return<SessionRestarts, never, ProviderService> {
  const provider = yield* ProviderService
  const { append, head, threadId, until } = thread

  const revive = Effect.gen(function* () {
    const isWanted = SessionHistory.untilStopped(history)
    const isMoot = (head: ThreadHead) =>
      !isWanted() || TurnQueue.next(head) !== undefined || ThreadProjection.runningTurn(head) !== undefined
    while (!(yield* provider.hasSession(threadId)) && !isMoot(head())) {
      yield* whenDue(thread, history, isMoot)
      if (isMoot(head()) || head().session.state !== "exited") return
      yield* session.startWhile(isWanted)
    }
  }).pipe(reporting((problem) => append(() => [{ type: "session.start.failed", problem }])))

  const afterCrash: SessionRestarts["afterCrash"] = Effect.fnUntraced(function* (waitingSince, isMoot) {
    if (yield* provider.hasSession(threadId)) return
    // The end of an agent that is gone may still be on its way.
    yield* Effect.timeoutOption(
      until(({ session }) => session.state !== "ready"),
      "1 second"
    )
    const { crashedAt } = history.current
    const since = waitingSince()
    if (since !== undefined && crashedAt !== undefined && since < crashedAt) yield* whenDue(thread, history, isMoot)
  })

  return { revive, afterCrash }
})

/**
 * Waits, visibly, until the agent may be started again by itself; less when somebody starts or stops it meanwhile, or when
 * it `isMoot`. Fails with `agent-restarts-exhausted` when it has ended too often.
 */
const whenDue = Effect.fnUntraced(function* (
  { append, head, until }: ReactingThread,
  history: MutableRef.MutableRef<SessionHistory.SessionHistory>,
  isMoot: (head: ThreadHead) => boolean
): Effect.fn.Return<void, ProviderError> {
  const now = yield* Clock.currentTimeMillis
  const decision = RestartBackoff.next(history.current.runs, now, yield* Random.next)
  if (decision.givenUp) return yield* exhausted(head().provider.name, decision.tries)
  const { delayMs } = decision
  const scheduled = yield* append((head) =>
    isMoot(head) || head.session.state !== "exited"
      ? []
      : [{ type: "session.restart.scheduled", attempt: history.current.runs.length, dueAt: now + delayMs }]
  )
  if (!scheduled) return
  const settled = until((head) => head.session.restart === undefined || isMoot(head))
  yield* Effect.timeoutOption(settled, delayMs)
})

const exhausted = (name: string, tries: number): ProviderError =>
  providerError(
    "agent-restarts-exhausted",
    `${name} ended again and again.`,
    `It was started ${tries} times within five minutes and did not stay. Nothing more is tried by itself.`,
    { nextSteps: [{ action: "restart", label: "Start it again" }] }
  )
