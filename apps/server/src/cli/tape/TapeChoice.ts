/**
 * Finds tapes by the path of a file, by a name, or by a thread. The beginning of a thread's or a session's id is
 * enough.
 */
import * as Effect from "effect/Effect"
import { statSync } from "node:fs"
import { basename, resolve } from "node:path"
import { messageOf } from "@signalbox/system/SystemError"
import { tapesIn } from "../../base/StateDirectory.ts"
import * as TapeFolder from "../../tape/TapeFolder.ts"
import * as TapeName from "../../tape/TapeName.ts"
import { Tapes, layer as tapesLayer } from "../../tape/Tapes.ts"
import { ThreadId } from "@signalbox/contracts/Ids"
import { type CommandFailed, failedWith, usage, type UsageError } from "../terminal/Failure.ts"
import { oneLine } from "../../base/Plain.ts"

export interface ChosenTape {
  readonly name: string
  /** Paths, in order. */
  readonly parts: ReadonlyArray<string>
}

/** Characters of an id that have to be given at least. */
const shortest = 4

/** All tapes of a state folder. The latest change comes first. */
export const kept = (directory: string): Effect.Effect<ReadonlyArray<TapeFolder.TapeFiles>, CommandFailed> =>
  Effect.flatMap(Tapes, ({ list }) => list).pipe(
    Effect.provide(tapesLayer({ folder: tapesIn(directory) })),
    Effect.mapError(({ folder, reason }) =>
      failedWith({
        code: "storage",
        title: "The tapes can't be read.",
        cause: reason,
        evidence: { path: folder },
        nextSteps: [{ action: "choose-folder", label: "Name another state folder with --state-dir" }]
      })
    )
  )

/** One tape, or all tapes of one thread, oldest first. */
export const choose = Effect.fn("TapeChoice")(function* (
  command: string,
  given: string,
  directory: string
): Effect.fn.Return<ReadonlyArray<ChosenTape>, UsageError | CommandFailed> {
  const path = resolve(given)
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === true) {
    const parts = yield* Effect.tryPromise({ try: () => TapeFolder.partsOf(path), catch: unreadable(path) })
    return [{ name: basename(path), parts }]
  }
  const oldestFirst = (yield* kept(directory)).toReversed()
  const thread = TapeName.ofThread(ThreadId.make(given))
  const exact = oldestFirst.filter((tape) => [tape.name, tape.thread, tape.session].includes(thread))
  if (exact.length > 0) return exact

  const begun = given.length < shortest ? [] : oldestFirst.filter((tape) => beginsWith(tape, thread))
  const threads = [...new Set(begun.map((tape) => tape.thread))]
  if (threads.length === 1) return begun
  const word = oneLine(given, 80)
  if (threads.length > 1) {
    const offered = threads.map((one) => oneLine(one))
    return yield* usage(command, `${word} is the beginning of the ids of several threads:`, offered)
  }
  return yield* usage(command, `There is no tape ${word}, and no thread with tapes. All of them: signalbox tape list`)
})

const beginsWith = ({ session, thread }: TapeFolder.TapeFiles, beginning: string): boolean =>
  thread.startsWith(beginning) || session.startsWith(beginning)

/** The failure for a file that the operating system can't read, with its reason. */
export const unreadable = (path: string) => (error: unknown) =>
  failedWith({
    code: "storage",
    title: "The tape can't be read.",
    cause: messageOf(error),
    evidence: { path },
    nextSteps: []
  })
