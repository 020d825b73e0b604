/** The frames of one sign-in attempt, on their way to its client. */
import type { SignInFrame } from "@signalbox/contracts/SignIn"
import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"

export type SignInFrames = Queue.Enqueue<SignInFrame, Cause.Done>

/** Sends frames without waiting. They keep their order. */
export const emitter = (frames: SignInFrames): Effect.Effect<(frame: SignInFrame) => void> =>
  Effect.map(Effect.context(), (context) => {
    const run = Effect.runForkWith(context)
    return (frame) => void run(Queue.offer(frames, frame))
  })
