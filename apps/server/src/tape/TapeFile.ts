/**
 * A file of lines that is only ever added to. Adding is synchronous and never fails; what has come together is written in
 * one go behind it, and on closing. The file belongs to its user alone and does not grow beyond its bound.
 */
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import type * as Scope from "effect/Scope"
import { type FileHandle, mkdir, open } from "node:fs/promises"
import { dirname } from "node:path"

/** 64 MiB. */
export const defaultMaxBytes = 64 * 1024 * 1024

/** How long lines are gathered before they are written. */
const gatherTime = "20 millis"
/** Characters that are gathered before they become bytes: lines that lie about as text are what a collector suffers from. */
const blockLength = 64 * 1024

export interface TapeFile {
  /** Adds a line and returns its number, from 1; undefined when the file is full. */
  readonly append: (line: string) => number | undefined
}

export interface Options {
  readonly path: string
  readonly maxBytes?: number | undefined
  /** The line that says that the file is full: the last one. */
  readonly lastLine: () => string
}

/** Creates the file, or empties it. A file that cannot be written is warned about once and then does without. */
export const make = Effect.fnUntraced(function* (options: Options): Effect.fn.Return<TapeFile, never, Scope.Scope> {
  const maxBytes = options.maxBytes ?? defaultMaxBytes
  const filled = Latch.makeUnsafe(false)
  let text = ""
  let blocks: Array<Uint8Array> = []
  let size = 0
  let lines = 0
  let over = false

  const handle = yield* Effect.acquireRelease(
    Effect.tryPromise(async () => {
      await mkdir(dirname(options.path), { recursive: true, mode: 0o700 })
      const file = await open(options.path, "w", 0o600)
      // The mode above only counts for a file that is new.
      await file.chmod(0o600)
      return file
    }),
    (file) => Effect.ignore(Effect.tryPromise(() => file.close()))
  ).pipe(
    Effect.tapError((error) => Effect.logWarning(`The tape ${options.path} cannot be written`, error.cause)),
    Effect.orElseSucceed(() => undefined)
  )
  if (handle === undefined) return { append: () => undefined }

  const pack = () => {
    if (text === "") return
    blocks.push(Buffer.from(text))
    text = ""
  }

  const flush = Effect.suspend(() => {
    pack()
    const ready = blocks
    blocks = []
    filled.closeUnsafe()
    return Effect.tryPromise(() => write(handle, ready)).pipe(
      Effect.catch((error) => {
        over = true
        return Effect.logWarning(`The tape ${options.path} is cut off`, error.cause)
      })
    )
  })

  yield* Effect.addFinalizer(() => flush)
  yield* filled.await.pipe(
    Effect.andThen(Effect.sleep(gatherTime)),
    // A write that was begun is finished before the file is closed.
    Effect.andThen(Effect.uninterruptible(flush)),
    Effect.forever,
    Effect.forkScoped
  )

  const add = (line: string): number => {
    text += `${line}\n`
    if (text.length >= blockLength) pack()
    // Counted in characters; the bound is that of a disk, not of a protocol.
    size += line.length + 1
    lines += 1
    filled.openUnsafe()
    return lines
  }

  return {
    append: (line) => {
      if (over) return undefined
      if (size + line.length + 1 <= maxBytes) return add(line)
      over = true
      add(options.lastLine())
      return undefined
    }
  }
})

const write = async (handle: FileHandle, blocks: ReadonlyArray<Uint8Array>): Promise<void> => {
  if (blocks.length === 0) return
  const { bytesWritten } = await handle.writev([...blocks])
  const whole = blocks.reduce((sum, { length }) => sum + length, 0)
  // A disk that is nearly full takes a part.
  if (bytesWritten < whole) await handle.writeFile(Buffer.concat(blocks).subarray(bytesWritten))
}
