/**
 * A file of lines that only its owner can read. Adding a line is synchronous and never fails. Lines are gathered for a
 * moment, and all of them are on the disk when the scope has closed.
 */
import * as GatheredWrites from "@signalbox/system/GatheredWrites"
import * as PrivateFolder from "@signalbox/system/PrivateFolder"
import { messageOf } from "@signalbox/system/SystemError"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { type FileHandle, open } from "node:fs/promises"
import { dirname } from "node:path"

export interface Options {
  /** Absolute. A file that is there is emptied. */
  readonly path: string
  /** Is called once if the disk takes no more, with the words of the system. */
  readonly onLost: (reason: string) => void
}

/** How long lines are gathered before they are written. */
const gatherTime = "20 millis"

/** Returns how a line is added. Fails with the words of the system if the file can't be made. */
export const make = Effect.fnUntraced(function* ({
  onLost,
  path
}: Options): Effect.fn.Return<(line: string) => void, string, Scope.Scope> {
  const file = yield* Effect.acquireRelease(
    Effect.tryPromise({ try: () => create(path), catch: messageOf }),
    (handle) => Effect.ignore(Effect.tryPromise(() => handle.close()))
  )
  let text = ""
  let isLost = false
  const flush = Effect.suspend(() => {
    const written = text
    text = ""
    if (written === "" || isLost) return Effect.void
    return Effect.tryPromise({ try: () => file.appendFile(written), catch: messageOf }).pipe(
      Effect.catch((reason) =>
        Effect.sync(() => {
          isLost = true
          onLost(reason)
        })
      )
    )
  })
  const gathered = yield* GatheredWrites.make(gatherTime, flush)
  return (line) => {
    if (isLost) return
    text += `${line}\n`
    gathered()
  }
})

const create = async (path: string): Promise<FileHandle> => {
  PrivateFolder.make(dirname(path))
  const file = await open(path, "w", 0o600)
  // The mode above applies only to a new file.
  await file.chmod(0o600)
  return file
}
