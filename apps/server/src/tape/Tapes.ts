/** The kept tapes as files: lists them, follows them, sums their sizes, and removes the tapes of a deleted thread. */
import type { ProviderSessionId, ThreadId } from "@signalbox/contracts/Ids"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { setTimeout as later } from "node:timers/promises"
import { messageOf } from "@signalbox/system/SystemError"
import * as TapeFolder from "./TapeFolder.ts"
import * as TapeFollow from "./TapeFollow.ts"
import * as TapeName from "./TapeName.ts"
import type { TapeLine } from "./TapeReader.ts"

/** The folder, or a tape in it, can't be read or removed. */
export class TapesUnusable extends Schema.TaggedError<TapesUnusable>()("TapesUnusable", {
  folder: Schema.String,
  /** The reason that the operating system gives. */
  reason: Schema.String
}) {
  override get message(): string {
    return `The tapes in ${this.folder} can't be used: ${this.reason}`
  }
}

export class Tapes extends Context.Service<
  Tapes,
  {
    /** All tapes. The latest change comes first. */
    readonly list: Effect.Effect<ReadonlyArray<TapeFolder.TapeFiles>, TapesUnusable>
    /** Removes all tapes of a thread. Its agent must have been stopped. Does nothing if there are none. */
    readonly remove: (threadId: ThreadId) => Effect.Effect<void, TapesUnusable>
    /**
     * Reads the tape of a session, and goes on as it grows. An empty batch comes whenever all was read. Ends if there is
     * no tape, or once it is deleted.
     */
    readonly follow: (threadId: ThreadId, session: ProviderSessionId) => Stream.Stream<TapeFollow.Batch, TapesUnusable>
    /** Some lines of the tape of a session, as far as they are there. */
    readonly lines: (
      threadId: ThreadId,
      session: ProviderSessionId,
      numbers: ReadonlyArray<number>
    ) => Effect.Effect<ReadonlyArray<TapeLine>, TapesUnusable>
    /** The bytes of all tapes together. */
    readonly bytes: Effect.Effect<number, TapesUnusable>
  }
>()("@signalbox/server/tape/Tapes") {}

/** Milliseconds until a tape that was read to its end is looked at again. */
const pause = 200

/** `folder`: an absolute path. A missing folder holds no tapes. */
export const layer = ({ folder }: { readonly folder: string }): Layer.Layer<Tapes> => {
  const unusable = (error: unknown) => new TapesUnusable({ folder, reason: messageOf(error) })
  const using = <A>(use: (signal: AbortSignal) => Promise<A>) => Effect.tryPromise({ try: use, catch: unusable })
  return Layer.succeed(
    Tapes,
    Tapes.of({
      list: Effect.map(
        using(() => TapeFolder.list(folder)),
        (tapes) => tapes.toReversed()
      ),
      follow: (threadId, session) =>
        Stream.fromAsyncIterable(
          TapeFollow.follow(folder, TapeName.of(threadId, session), () => later(pause, true)),
          unusable
        ),
      lines: Effect.fn("Tapes.lines")(function* (threadId, session, numbers) {
        return yield* using(async (gone) => {
          const found: Array<TapeLine> = []
          const last = Math.max(...numbers)
          const tape = TapeFollow.follow(folder, TapeName.of(threadId, session), async () => false)
          for await (const batch of tape) {
            for (const line of batch) if (line.type !== "fault" && numbers.includes(line.line)) found.push(line)
            // Nobody waits for a tape to be read to its end that is not asked for any more.
            if (gone.aborted || batch.some((line) => line.type !== "fault" && line.line >= last)) break
          }
          return found
        })
      }),
      remove: Effect.fn("Tapes.remove")(function* (threadId) {
        const thread = TapeName.ofThread(threadId)
        yield* using(async () => {
          for (const tape of await TapeFolder.list(folder)) if (tape.thread === thread) await TapeFolder.remove(tape)
        })
      }),
      bytes: Effect.map(
        using(() => TapeFolder.list(folder)),
        (tapes) => tapes.reduce((sum, { bytes }) => sum + bytes, 0)
      )
    })
  )
}
