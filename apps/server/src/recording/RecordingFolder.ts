/** The folder of recordings: their names, which ones there are, and which are deleted when there are too many. */
import { isMissing, messageOf } from "@signalbox/system/SystemError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { randomBytes } from "node:crypto"
import { readdir, rm, stat } from "node:fs/promises"
import { join } from "node:path"

export interface RecordingEntry {
  /** The name without its extension. */
  readonly name: string
  readonly path: string
  readonly bytes: number
}

const extension = ".ndjson"
/** The names that {@link next} makes. Others in the folder are left alone. */
const pattern = /^\d{4}-\d\d-\d\d-\d{6}-.{1,200}-[0-9a-f]{4}\.ndjson$/

/** Most bytes of all recordings together, when another one begins. */
const defaultBytes = 1024 * 1024 * 1024

/** The recordings of a folder, the oldest first. A missing folder holds none. Fails with the words of the system. */
export const list = (folder: string): Effect.Effect<ReadonlyArray<RecordingEntry>, string> =>
  Effect.tryPromise({ try: () => entriesIn(folder), catch: messageOf })

const entriesIn = async (folder: string): Promise<ReadonlyArray<RecordingEntry>> => {
  const entries: Array<RecordingEntry> = []
  for (const file of (await unlessMissing(readdir(folder))) ?? []) {
    if (!pattern.test(file)) continue
    const path = join(folder, file)
    const found = await unlessMissing(stat(path))
    if (found?.isFile() === true) entries.push({ name: file.slice(0, -extension.length), path, bytes: found.size })
  }
  // A name begins with its time.
  return entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

/** The path of a new recording, after the oldest ones were deleted that are too much. */
export const next = Effect.fn("RecordingFolder.next")(function* (
  folder: string,
  agent: string,
  mostBytes = defaultBytes
) {
  yield* Effect.tryPromise(async () => {
    const entries = await entriesIn(folder)
    let sum = entries.reduce((total, { bytes }) => total + bytes, 0)
    for (const { bytes, path } of entries) {
      if (sum <= mostBytes) return
      await rm(path, { force: true })
      sum -= bytes
    }
  }).pipe(
    Effect.catch(({ cause }) => Effect.logWarning(`The recordings in ${folder} could not be kept within bounds`, cause))
  )
  const at = new Date(yield* Clock.currentTimeMillis).toISOString()
  const time = `${at.slice(0, 10)}-${at.slice(11, 19).replaceAll(":", "")}`
  return join(folder, `${time}-${agent}-${randomBytes(2).toString("hex")}${extension}`)
})

const unlessMissing = async <A>(found: Promise<A>): Promise<A | undefined> => {
  try {
    return await found
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}
