/** Puts on a thread's record how the start of its agent goes on, for as long as it starts. */
import * as Effect from "effect/Effect"
import * as MutableRef from "effect/MutableRef"
import type { StartSession } from "../provider/Services/ProviderAdapter.ts"
import type { ReactingThread } from "./ReactingThread.ts"

export type StartNotes = Required<Pick<StartSession, "onSlow" | "onWaiting">>

export const make = Effect.fnUntraced(function* ({
  append,
  fork
}: Pick<ReactingThread, "append" | "fork">): Effect.fn.Return<StartNotes> {
  const runFork = Effect.runForkWith(yield* Effect.context())
  const note = (report: Parameters<typeof append>[0]): void => {
    runFork(fork(Effect.asVoid(append((head) => (head.session.state === "starting" ? report(head) : [])))))
  }
  /** How many agents start before this one, as it was said last. */
  const ahead = MutableRef.make(0)
  return {
    onSlow: ({ afterMs, waitingFor }) => note(() => [{ type: "session.start.slow", afterMs, waitingFor }]),
    onWaiting: (now) => {
      MutableRef.set(ahead, now)
      // What is noted is what holds by then.
      note(({ session }) => {
        const { current } = ahead
        return (session.waiting?.ahead ?? 0) === current ? [] : [{ type: "session.start.waiting", ahead: current }]
      })
    }
  }
})
