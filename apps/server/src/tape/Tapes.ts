/** The kept tapes as files: lists them, sums their sizes, and removes the tapes of a deleted thread. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { messageOf } from "@signalbox/system/SystemError"
import * as TapeFolder from "./TapeFolder.ts"
import * as TapeName from "./TapeName.ts"

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
    /** The bytes of all tapes together. */
    readonly bytes: Effect.Effect<number, TapesUnusable>
  }
>()("@signalbox/server/tape/Tapes") {}

/** `folder`: an absolute path. A missing folder holds no tapes. */
export const layer = ({ folder }: { readonly folder: string }): Layer.Layer<Tapes> => {
  const using = <A>(use: () => Promise<A>) =>
    Effect.tryPromise({
      try: use,
      catch: (error) => new TapesUnusable({ folder, reason: messageOf(error) })
    })
  return Layer.succeed(
    Tapes,
    Tapes.of({
      list: Effect.map(
        using(() => TapeFolder.list(folder)),
        (tapes) => tapes.toReversed()
      ),
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
