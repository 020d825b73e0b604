/** The words that the contract of `Threads` is written in. */
import type { CommandRejected, Receipt, ThreadCommand } from "@signalbox/contracts/Command"
import type { ThreadId, TurnId } from "@signalbox/contracts/Ids"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import { hasEnded } from "@signalbox/threads/TurnState"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { isDeepStrictEqual } from "node:util"
import { type bootOn, followed, type Server, threadId, turnId } from "../../support/ThreadsHarness.ts"

/** Starts a server of the host under test on a file. */
export type Boot = (file: string) => ReturnType<typeof bootOn<never>>

export const a = threadId("thread-a")
export const b = threadId("thread-b")
export const [first, second, third] = [turnId("turn-1"), turnId("turn-2"), turnId("turn-3")]

/** Random lives. A failure names the seed. */
export const Dealt = { seed: Schema.Int }
export const runs = (count: number) => ({ arbitrary: { runs: count, maxShrinks: 0 } })

export const rename = (title: string): ThreadCommand => ({ type: "thread.rename", title })

export const start = (turn: TurnId, text: string): ThreadCommand => ({
  type: "turn.start",
  turnId: turn,
  prompt: [{ type: "text", text }]
})

export const hold = (held: boolean): ThreadCommand => ({ type: "queue.hold", held })

/** The answer that a command gets, in short. */
export const answered = (effect: Effect.Effect<Receipt, CommandRejected>) =>
  Effect.match(effect, {
    onSuccess: ({ sequence }) => `taken at ${sequence}`,
    onFailure: ({ problem }) => `${problem.title} ${problem.cause}`
  })

/** Waits until so many turns have ended, and no other is left. */
export const settled = ({ until }: Pick<Server, "until">, thread: ThreadId, count: number) =>
  until(thread, ({ turns }) => turns.length >= count && turns.every(({ status }) => hasEnded(status)))

/** What a page that opens the thread now is shown first. */
export const shown = ({ threads }: Pick<Server, "threads">, thread: ThreadId, turnLimit?: number) =>
  threads.watch(thread, turnLimit === undefined ? {} : { turnLimit }).pipe(
    Stream.runHead,
    Effect.flatMap(Effect.fromOption),
    Effect.orDie,
    Effect.map((frame) => followed(undefined, frame))
  )

/** Lets go of whatever a turn holds, from now on. */
export const lettingGo = ({ send, views }: Pick<Server, "send" | "views">, thread: ThreadId) =>
  views(thread).pipe(
    Stream.filter(({ heldBy }) => heldBy !== undefined),
    Stream.runForEach(() => send(thread, hold(false))),
    Effect.ignoreCause,
    Effect.forkChild
  )

/** Waits for the request that the thread is blocked by, and answers it. */
export const proceed = Effect.fnUntraced(function* ({ send, until }: Pick<Server, "send" | "until">, thread: ThreadId) {
  const { requests } = yield* until(thread, (view) => view.requests.some(({ answered }) => !answered))
  const { requestId } = requests[0]!.request
  return yield* send(thread, {
    type: "request.respond",
    requestId,
    response: { type: "option", optionId: "proceed_once" }
  })
})

export const assertSame = (one: ThreadView, other: ThreadView, who: string): void => {
  const [ones, others] = [one, other].map((view) => ({ ...view, earlier: undefined }))
  if (isDeepStrictEqual(ones, others)) return
  const ids = ({ items }: ThreadView) => items.map(({ itemId }) => itemId)
  assert.deepStrictEqual(ids(one), ids(other), who)
  assert.deepStrictEqual(ones, others, who)
}
