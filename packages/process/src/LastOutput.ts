/** What a program wrote before its exit, and nobody has read yet. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { ChildProcessWithoutNullStreams } from "node:child_process"

/** How long something outside of the group may hold the pipes open and write nothing. */
export const grace = "1 second"

type Child = Pick<ChildProcessWithoutNullStreams, "stdout" | "stderr">

/**
 * Closes pipes that hold nothing any more and that nothing comes through. What has come stays for its reader: it may be slow,
 * or begin late. Returns when `closed` completes, which the end of both pipes does.
 */
export const leaveToReader = Effect.fnUntraced(function* (child: Child, closed: Deferred.Deferred<void>) {
  const pipes = [child.stdout, child.stderr].map((pipe) => ({ pipe, before: -1 }))
  while (Option.isNone(yield* Effect.timeoutOption(Deferred.await(closed), grace))) {
    for (const each of pipes) {
      const now = bytesReadOf(each.pipe)
      if (each.pipe.readableLength === 0 && now === each.before) each.pipe.destroy()
      each.before = now
    }
  }
})

/** Closes the pipes, whatever they hold. */
export const close = ({ stderr, stdout }: Child): void => {
  stdout.destroy()
  stderr.destroy()
}

/** Node has sockets for pipes, and types them as streams. */
const bytesReadOf = (pipe: object): number =>
  "bytesRead" in pipe && typeof pipe.bytesRead === "number" ? pipe.bytesRead : 0
