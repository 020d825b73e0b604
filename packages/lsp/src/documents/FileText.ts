/** The text of a file as a language server may get it: a regular file, bounded, and text. */
import { isMissing, reasonOf, systemRefused } from "@signalbox/system/SystemError"
import * as Effect from "effect/Effect"
import { constants, stat, type Stats } from "node:fs"
import { open } from "node:fs/promises"
import { LanguageServerError } from "../LanguageServerError.ts"

/** Most bytes of a file that is read. Servers give up on much shorter ones. */
const mostBytes = 16 * 1024 * 1024

/** A file as it was when it was read. */
export interface FileText {
  readonly text: string
  /** Changes whenever the file does, as far as the system reports it. */
  readonly stamp: string
}

/** Looked at for a zero byte, as git does. */
const lookedBytes = 8000

const stampOf = ({ ctimeMs, ino, mtimeMs, size }: Stats): string => `${ino}/${size}/${mtimeMs}/${ctimeMs}`

const unusable = (path: string, why: string) =>
  new LanguageServerError({
    reason: "DocumentUnusable",
    message: `${path} can't be given to a language server: ${why}`
  })

/** The stamps of several files, looked at together. They change whenever the file does. Undefined if it is missing or can't be looked at. */
export const stampsAt = (paths: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<string | undefined>> =>
  Effect.callback((resume) => {
    const stamps: Array<string | undefined> = paths.map(() => undefined)
    let left = paths.length
    if (left === 0) return resume(Effect.succeed(stamps))
    // Each question looks at all open files. A promise for each of them would cost more than the look.
    paths.forEach((path, index) =>
      stat(path, (error, stats) => {
        if (error === null) stamps[index] = stampOf(stats)
        left -= 1
        if (left === 0) resume(Effect.succeed(stamps))
      })
    )
    return undefined
  })

/** The stamp of one file. */
export const stampAt = (path: string): Effect.Effect<string | undefined> =>
  Effect.map(stampsAt([path]), ([stamp]) => stamp)

/** Reads a file. Undefined if it is missing. */
export const read = (path: string): Effect.Effect<FileText | undefined, LanguageServerError> =>
  Effect.tryPromise({
    try: async () => {
      // A pipe without a writer would be waited for without end.
      const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
      try {
        const stats = await file.stat()
        if (!stats.isFile()) throw unusable(path, `it is ${kindOf(stats)}, not a file.`)
        if (stats.size > mostBytes) throw unusable(path, `it has ${stats.size} bytes. At most ${mostBytes} are read.`)
        const bytes = Buffer.alloc(stats.size + 1)
        let length = 0
        while (length < bytes.length) {
          const { bytesRead } = await file.read(bytes, length, bytes.length - length)
          if (bytesRead === 0) break
          length += bytesRead
        }
        // It may have grown meanwhile. Then the next question reads it again, since its stamp differs.
        const whole = bytes.subarray(0, Math.min(length, stats.size))
        if (whole.subarray(0, lookedBytes).includes(0)) throw unusable(path, "it is binary: it has a zero byte.")
        return { text: textOf(path, whole), stamp: stampOf(stats) }
      } finally {
        await file.close()
      }
    },
    catch: (error) => (error instanceof LanguageServerError ? error : systemRefused(error))
  }).pipe(
    Effect.catch((error) => {
      if (error instanceof LanguageServerError) return Effect.fail(error)
      if (isMissing(error)) return Effect.succeed(undefined)
      return Effect.fail(unusable(path, `${reasonOf(error)}.`))
    })
  )

const kindOf = (stats: Stats): string => {
  if (stats.isDirectory()) return "a folder"
  if (stats.isFIFO()) return "a pipe"
  if (stats.isSocket()) return "a socket"
  return "a device"
}

const textOf = (path: string, bytes: Uint8Array): string => {
  try {
    // A mark at the beginning is no character of the text: editors and servers leave it out, too.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    throw unusable(path, "it is not UTF-8.")
  }
}
