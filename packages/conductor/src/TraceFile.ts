/** A file of what a chain passes on. Nobody waits for it: a disk that is slow, full or gone does not change what the chain does. */
import * as GatheredWrites from "@signalbox/system/GatheredWrites"
import { messageOf } from "@signalbox/system/SystemError"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { constants } from "node:fs"
import { open } from "node:fs/promises"

/** The file can't be opened for writing. */
export class TraceRefused extends Schema.TaggedError<TraceRefused>()("TraceRefused", {
  /** The words of the system. */
  message: Schema.String
}) {}

/** Characters that wait for the disk, beyond which the trace is given up. */
const mostWaiting = 64 * 1024 * 1024

/**
 * Without `O_NONBLOCK`, opening a pipe would wait for a reader. With `O_APPEND`, no line is written over another one: neither where two
 * write to one file, nor where somebody has emptied it.
 */
const common = constants.O_WRONLY | constants.O_CREAT | constants.O_NONBLOCK | constants.O_APPEND

/**
 * What becomes of a file that is there. `append` follows no link: the folder of a project could hold one to any other file.
 */
const flags = { empty: common | constants.O_TRUNC, append: common | constants.O_NOFOLLOW }

const refused = (error: unknown) => new TraceRefused({ message: messageOf(error) })

/**
 * Opens the file, or makes it for its owner alone. Each line that is given is written at once. When the scope closes, all of them are
 * written.
 *
 * @param onLost is called once, when the trace ends before the chain does
 */
export const make = Effect.fnUntraced(function* (
  path: string,
  onLost: (why: string) => void,
  existing: keyof typeof flags = "empty"
): Effect.fn.Return<(line: string) => void, TraceRefused, Scope.Scope> {
  const handle = yield* Effect.acquireRelease(
    Effect.tryPromise({ try: () => open(path, flags[existing], 0o600), catch: refused }),
    (handle) => Effect.ignore(Effect.tryPromise(() => handle.close()))
  )
  let waiting = ""
  let isOver = false

  const giveUp = (why: string) => {
    if (isOver) return
    isOver = true
    waiting = ""
    onLost(why)
  }

  const write = Effect.suspend(() => {
    const text = waiting
    waiting = ""
    if (text === "") return Effect.void
    return Effect.tryPromise({ try: () => handle.writeFile(text), catch: refused }).pipe(
      Effect.catch(({ message }) => Effect.sync(() => giveUp(message)))
    )
  })
  const gathered = yield* GatheredWrites.make(0, write)

  return (line) => {
    if (isOver) return
    waiting += `${line}\n`
    if (waiting.length > mostWaiting) return giveUp("it takes what is written too slowly")
    gathered()
  }
})
