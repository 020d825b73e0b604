/** When a thread's agent that ended by itself is started again, on the record of its runs since the thread came into memory. */
import type { Timestamp } from "@signalbox/contracts/Ids"
import type { ThreadEvent } from "@signalbox/contracts/ThreadEvent"
import type { ThreadHead } from "@signalbox/contracts/ThreadView"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import { ProviderError, providerError } from "../base/ProviderError.ts"
import type { ReactingThread } from "./ReactingThread.ts"
import * as RestartBackoff from "./RestartBackoff.ts"

export interface SessionRestarts {
  /** Takes note of starts and ends among what is committed. */
  readonly note: (event: ThreadEvent) => void
  /** A start came to nothing. */
  readonly failed: Effect.Effect<void>
  /** When the agent ended last, if nobody had asked for that and it did not start since. */
  readonly crashedAt: () => Timestamp | undefined
  /**
   * Waits, visibly, until the agent may be started again by itself; less when somebody starts or stops it meanwhile, or when
   * it `isMoot`. Fails with `agent-restarts-exhausted` when it has ended too often.
   */
  readonly whenDue: (isMoot: (head: ThreadHead) => boolean) => Effect.Effect<void, ProviderError>
}

export const make = ({ append, head, until }: Pick<ReactingThread, "append" | "head" | "until">): SessionRestarts => {
  let history: ReadonlyArray<RestartBackoff.Run> = []
  let crashedAt: Timestamp | undefined

  const end = (endedAt: Timestamp): void => {
    const last = history.at(-1)
    if (last && last.endedAt === undefined) history = [...history.slice(0, -1), { ...last, endedAt }]
    history = RestartBackoff.keep(history, endedAt)
    crashedAt = endedAt
  }

  const note = (event: ThreadEvent): void => {
    if (event.type === "session.started") {
      history = [...history, { startedAt: event.at }]
      crashedAt = undefined
    } else if (event.type === "session.exited") {
      if (!event.expected) return end(event.at)
      // Somebody wanted it to end: what was before counts no more.
      history = []
      crashedAt = undefined
    }
  }

  const failed = Effect.map(Clock.currentTimeMillis, (at) => {
    history = [...history, { startedAt: at }]
    end(at)
  })

  const whenDue = Effect.fnUntraced(function* (isMoot: (head: ThreadHead) => boolean) {
    const now = yield* Clock.currentTimeMillis
    const decision = RestartBackoff.next(history, now, yield* Random.next)
    if (decision.givenUp) return yield* exhausted(head().provider.name, decision.tries)
    const { delayMs } = decision
    const scheduled = yield* append((head) =>
      isMoot(head) || head.session.state !== "exited"
        ? []
        : [{ type: "session.restart.scheduled", attempt: history.length, dueAt: now + delayMs }]
    )
    if (!scheduled) return
    const settled = until((head) => head.session.restart === undefined || isMoot(head))
    yield* Effect.timeoutOption(settled, delayMs)
  })

  return { note, failed, crashedAt: () => crashedAt, whenDue }
}

const exhausted = (name: string, tries: number): ProviderError =>
  providerError(
    "agent-restarts-exhausted",
    `${name} ended again and again.`,
    `It was started ${tries} times within five minutes and did not stay. Nothing more is tried by itself.`,
    { nextSteps: [{ action: "restart", label: "Start it again" }] }
  )
