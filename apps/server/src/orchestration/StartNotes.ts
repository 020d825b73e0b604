/** Puts on a thread's record how the start of its agent goes on, for as long as it starts. */
import * as Effect from "effect/Effect"
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
  let ahead = 0
  return {
    onSlow: ({ afterMs, waitingFor }) => note(() => [{ type: "session.start.slow", afterMs, waitingFor }]),
    onWaiting: (now) => {
      ahead = now
      // What is noted is what holds by then.
      note(({ session }) => ((session.waiting?.ahead ?? 0) === ahead ? [] : [{ type: "session.start.waiting", ahead }]))
    }
  }
})
