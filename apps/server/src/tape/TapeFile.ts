/**
 * Append-only files of lines. Adding is synchronous and never fails. Lines are gathered and written together a moment
 * later, and on closing. A full file is followed by another. If all files together are too large, the first and the
 * newest ones stay. Only their owner can read them.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { type FileHandle, open, rm } from "node:fs/promises"
import { dirname } from "node:path"
import * as GatheredWrites from "@signalbox/system/GatheredWrites"
import * as PrivateFolder from "@signalbox/system/PrivateFolder"
import * as TapeName from "./TapeName.ts"
import type { PartNote } from "./TapeNote.ts"

export interface Limits {
  /** The limit of one file in bytes. A longer line gets its own file. */
  readonly partBytes: number
  /** The approximate limit of all files together, in bytes. It is enforced when the next file begins. */
  readonly totalBytes: number
}

/** 64 MiB a file, 256 MiB altogether. */
const defaultLimits: Limits = { partBytes: 64 * 1024 * 1024, totalBytes: 256 * 1024 * 1024 }

/** How long lines are gathered before they are written. */
const gatherTime = "20 millis"
/**
 * Characters that are gathered before they are encoded. Many long-lived strings would slow down the garbage collector.
 */
const blockLength = 64 * 1024

export interface TapeFile {
  /**
   * Adds a line and returns its number, counted over all files from 1. Undefined if the record can't be written any
   * more.
   */
  readonly append: (line: string) => number | undefined
  /** Whether an added line is still in a file. */
  readonly has: (line: number) => boolean
}

export interface Options {
  /** The path of the first file. */
  readonly path: string
  readonly limits?: Partial<Limits> | undefined
  /** Makes the first line of a further part. */
  readonly partLine: (note: PartNote) => string
}

interface Part {
  readonly number: number
  readonly firstLine: number
  size: number
}

/** The pending work on the disk, in order. */
type Work =
  | { readonly type: "write"; readonly bytes: Uint8Array }
  | { readonly type: "begin"; readonly part: number }
  | { readonly type: "give up"; readonly part: number }

/** Creates the file, or empties it. If the file can't be written, one warning is logged, and nothing is recorded. */
export const make = Effect.fnUntraced(function* (options: Options): Effect.fn.Return<TapeFile, never, Scope.Scope> {
  const { partBytes, totalBytes } = { ...defaultLimits, ...options.limits }
  let text = ""
  let work: Array<Work> = []
  let lines = 0
  let over = false
  let current: Part = { number: 1, firstLine: 1, size: 0 }
  let earlier: ReadonlyArray<Part> = []
  let missing: PartNote["missing"]

  const disk = yield* Effect.acquireRelease(
    Effect.map(
      Effect.tryPromise(() => create(options.path)),
      (handle) => ({ handle })
    ),
    ({ handle }) => Effect.ignore(Effect.tryPromise(() => handle.close()))
  ).pipe(
    Effect.tapError((error) => Effect.logWarning(`The tape ${options.path} cannot be written`, error.cause)),
    Effect.orElseSucceed(() => undefined)
  )
  if (disk === undefined) return { append: () => undefined, has: () => false }

  const pack = () => {
    if (text === "") return
    const bytes = Buffer.from(text)
    // Sizes are first counted in characters; here they are corrected to bytes.
    current.size += bytes.length - text.length
    work.push({ type: "write", bytes })
    text = ""
  }

  const carryOut = async (todo: ReadonlyArray<Work>): Promise<void> => {
    let blocks: Array<Uint8Array> = []
    for (const step of todo) {
      if (step.type === "write") {
        blocks.push(step.bytes)
        continue
      }
      await write(disk.handle, blocks)
      blocks = []
      const path = TapeName.ofPart(options.path, step.part)
      if (step.type === "give up") await rm(path, { force: true })
      else {
        const next = await create(path)
        await disk.handle.close()
        disk.handle = next
      }
    }
    await write(disk.handle, blocks)
  }

  const flush = Effect.suspend(() => {
    pack()
    const todo = work
    work = []
    return Effect.tryPromise(() => carryOut(todo)).pipe(
      Effect.catch((error) => {
        over = true
        return Effect.logWarning(`The tape ${options.path} is cut off`, error.cause)
      })
    )
  })

  const gathered = yield* GatheredWrites.make(gatherTime, flush)

  const add = (line: string): number => {
    text += `${line}\n`
    current.size += line.length + 1
    if (text.length >= blockLength) pack()
    lines += 1
    gathered()
    return lines
  }

  /** Deletes parts over the limit. The first and the newest parts stay; the oldest of the others goes first. */
  const giveUp = () => {
    const [first, ...between] = earlier
    if (first === undefined) return
    let size = first.size + partBytes + between.reduce((sum, part) => sum + part.size, 0)
    let dropped = 0
    for (; size > totalBytes && dropped < between.length; dropped += 1) {
      const part = between[dropped]
      if (part === undefined) break
      size -= part.size
      work.push({ type: "give up", part: part.number })
    }
    if (dropped === 0) return
    const kept = between.slice(dropped)
    earlier = [first, ...kept]
    missing = {
      fromLine: missing?.fromLine ?? between[0]?.firstLine ?? 0,
      toLine: (kept[0]?.firstLine ?? lines + 1) - 1
    }
  }

  const nextPart = () => {
    pack()
    earlier = [...earlier, current]
    giveUp()
    current = { number: current.number + 1, firstLine: lines + 1, size: 0 }
    work.push({ type: "begin", part: current.number })
    const { firstLine, number: part } = current
    add(options.partLine({ event: "part", part, firstLine, ...(missing !== undefined && { missing }) }))
  }

  return {
    append: (line) => {
      if (over) return undefined
      if (current.size + line.length + 1 > partBytes && lines >= current.firstLine + (current.number === 1 ? 0 : 1))
        nextPart()
      return add(line)
    },
    has: (line) => line <= lines && (missing === undefined || line < missing.fromLine || line > missing.toLine)
  }
})

const create = async (path: string): Promise<FileHandle> => {
  PrivateFolder.make(dirname(path))
  const file = await open(path, "w", 0o600)
  // The mode above applies only to a new file.
  await file.chmod(0o600)
  return file
}

const write = async (handle: FileHandle, blocks: ReadonlyArray<Uint8Array>): Promise<void> => {
  if (blocks.length === 0) return
  const { bytesWritten } = await handle.writev([...blocks])
  const whole = blocks.reduce((sum, { length }) => sum + length, 0)
  // A nearly full disk may take only a part of the bytes.
  if (bytesWritten < whole) await handle.writeFile(Buffer.concat(blocks).subarray(bytesWritten))
}
