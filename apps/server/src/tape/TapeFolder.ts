/** The files of tapes in a folder, with their sizes and ages. Deletes the oldest tapes beyond a limit. */
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import { createReadStream } from "node:fs"
import { readdir, rm, stat } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { createInterface } from "node:readline"
import { codeOf } from "@signalbox/system/SystemError"
import * as TapeName from "./TapeName.ts"

export interface TapeFiles {
  /** The name of the first part. */
  readonly name: string
  /** The thread's part of the name. */
  readonly thread: string
  readonly session: string
  /** Absolute paths of the remaining parts, in order. */
  readonly parts: ReadonlyArray<string>
  readonly bytes: number
  /** The time of the last write, in milliseconds since 1970. */
  readonly changedAt: number
}

/** All tapes of a folder, the latest change last. A missing folder holds none. */
export const list = async (folder: string): Promise<ReadonlyArray<TapeFiles>> => {
  const tapes = new Map<
    string,
    { thread: string; session: string; parts: Array<{ number: number; path: string; bytes: number; at: number }> }
  >()
  for (const name of await namesIn(folder)) {
    const parsed = TapeName.parse(name)
    if (parsed === undefined) continue
    const path = join(folder, name)
    const file = await unlessMissing(stat(path))
    if (file?.isFile() !== true) continue
    const tape = tapes.get(parsed.first) ?? { thread: parsed.thread, session: parsed.session, parts: [] }
    tape.parts.push({ number: parsed.part, path, bytes: file.size, at: file.mtimeMs })
    tapes.set(parsed.first, tape)
  }
  return [...tapes]
    .map(([name, { parts, session, thread }]) => {
      const inOrder = parts.sort((one, other) => one.number - other.number)
      return {
        name,
        thread,
        session,
        parts: inOrder.map(({ path }) => path),
        bytes: inOrder.reduce((sum, { bytes }) => sum + bytes, 0),
        changedAt: Math.max(...inOrder.map(({ at }) => at))
      }
    })
    .sort((one, other) => one.changedAt - other.changedAt)
}

/** Removes all parts of a tape. */
export const remove = async ({ parts }: Pick<TapeFiles, "parts">): Promise<void> => {
  for (const path of parts) await rm(path, { force: true })
}

/** The parts that a tape of a folder has now, in order. The parts between may be missing. */
export const partsIn = async (
  folder: string,
  name: string
): Promise<ReadonlyArray<{ readonly number: number; readonly path: string }>> =>
  (await namesIn(folder))
    .flatMap((file) => {
      const parsed = TapeName.parse(file)
      return parsed?.first === name ? [{ number: parsed.part, path: join(folder, file) }] : []
    })
    .sort((one, other) => one.number - other.number)

/** The files of one tape, given the path of its first part, whatever it is called. */
export const partsOf = async (path: string): Promise<ReadonlyArray<string>> => {
  const folder = dirname(path)
  const stem = basename(TapeName.ofPart(basename(path), 2)).replace(/\.2\.ndjson$/, "")
  const parts: Array<{ readonly number: number; readonly path: string }> = []
  for (const name of await namesIn(folder)) {
    const number = /^\.([1-9][0-9]*)\.ndjson$/.exec(name.startsWith(stem) ? name.slice(stem.length) : "")?.[1]
    const part = { number: Number(number), path: join(folder, name) }
    if (number !== undefined && part.number > 1 && (await beginsAsPart(part.path))) parts.push(part)
  }
  return [path, ...parts.sort((one, other) => one.number - other.number).map((part) => part.path)]
}

/** Whether a file is a further part of a tape, and not an unrelated file of that name. */
const beginsAsPart = async (path: string): Promise<boolean> =>
  /^\{"at":\d+,"dir":"note","line":\{"event":"part"/.test((await firstLine(path)) ?? "")

/** The first line of a file; undefined when it is empty or gone. */
const firstLine = async (path: string): Promise<string | undefined> => {
  const input = createReadStream(path, { encoding: "utf8" })
  try {
    for await (const line of createInterface({ input, crlfDelay: Infinity })) return line
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error
  } finally {
    input.destroy()
  }
  return undefined
}

/**
 * Removes further parts of an earlier record with this name. Otherwise they would be taken for parts of the new one.
 */
export const removeLaterParts = (path: string): Effect.Effect<void> =>
  Effect.tryPromise(async () => remove({ parts: (await partsOf(path)).slice(1) })).pipe(
    Effect.catch((error) => Effect.logWarning(`Old parts of the tape ${path} are still there`, error.cause))
  )

/** Runs one count at a time, so that two don't count the same bytes. */
const counting = Semaphore.makeUnsafe(1)

/** Removes the oldest tapes until all tapes together are within the limit. Tapes that are being written stay. */
export const keepWithin = (folder: string, bytes: number, open: ReadonlySet<string>): Effect.Effect<void> =>
  Effect.tryPromise(async () => {
    const tapes = await list(folder)
    let sum = tapes.reduce((total, tape) => total + tape.bytes, 0)
    for (const tape of tapes) {
      if (sum <= bytes) return
      if (open.has(tape.name)) continue
      await remove(tape)
      sum -= tape.bytes
    }
  }).pipe(
    Effect.catch((error) => Effect.logWarning(`The tapes in ${folder} could not be kept within bounds`, error.cause)),
    counting.withPermits(1)
  )

const namesIn = async (folder: string): Promise<ReadonlyArray<string>> => (await unlessMissing(readdir(folder))) ?? []

/** Undefined if the file is missing. Files may be deleted while the folder is read. */
const unlessMissing = async <A>(found: Promise<A>): Promise<A | undefined> => {
  try {
    return await found
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined
    throw error
  }
}
