/**
 * Decides when a thread's agent that ended by itself is started again. It uses the record of its runs since the thread came into memory.
 */
import type { ThreadHead } from "@signalbox/contracts/ThreadView"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as MutableRef from "effect/MutableRef"
import * as Random from "effect/Random"
import { ProviderError, providerError } from "../base/ProviderError.ts"
import type { ReactingThread } from "./ReactingThread.ts"
import * as RestartBackoff from "./RestartBackoff.ts"
import type { SessionHistory } from "./SessionHistory.ts"

/**
 * Waits, visibly, until the agent may be started again by itself; less when somebody starts or stops it meanwhile, or when
 * it `isMoot`. Fails with `agent-restarts-exhausted` when it has ended too often.
 */
export const whenDue = Effect.fnUntraced(function* (
  { append, head, until }: Pick<ReactingThread, "append" | "head" | "until">,
  history: MutableRef.MutableRef<SessionHistory>,
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
