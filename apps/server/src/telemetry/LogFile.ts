/**
 * A log on the disk, in a limited number of files of limited size. The newest is `server.ndjson`, earlier ones are
 * `server.1.ndjson`, `server.2.ndjson` …
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import type * as Scope from "effect/Scope"
import { open, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { codeOf } from "@signalbox/system/SystemError"
import * as GatheredWrites from "@signalbox/system/GatheredWrites"
import * as PrivateFolder from "@signalbox/system/PrivateFolder"
import * as Secrets from "@signalbox/redaction/Secrets"
import * as LogRecord from "./LogRecord.ts"

export interface Options {
  readonly folder: string
  /** The limit of one file, in bytes. */
  readonly maxBytes?: number
  /** The most files, including the newest one. */
  readonly files?: number
}

export interface LogFile {
  /** Adds a line. Never fails. The line is on the disk a moment later, at the latest when the scope is closed. */
  readonly append: (line: string) => void
}

const defaultMaxBytes = 5 * 1024 * 1024
const defaultFiles = 5

/** How long lines are gathered before they are written. */
const gatherTime = "200 millis"
/** The most lines that wait while the disk refuses writes. Beyond it, the oldest are dropped. */
const maxWaiting = 2000

/** The name of a file. `age`: the number of newer files. */
export const nameOf = (age: number): string => (age === 0 ? "server.ndjson" : `server.${age}.ndjson`)

export const make = Effect.fnUntraced(function* ({
  files = defaultFiles,
  folder,
  maxBytes = defaultMaxBytes
}: Options): Effect.fn.Return<LogFile, never, Scope.Scope> {
  let waiting: Array<string> = []
  let refused = false

  const rotate = async (): Promise<void> => {
    await rm(join(folder, nameOf(files - 1)), { force: true })
    for (let age = files - 2; age >= 0; age--) await moveUp(join(folder, nameOf(age)), join(folder, nameOf(age + 1)))
  }

  /** Writes the lines that fit into the file, and returns the rest for the next file. */
  const write = async (lines: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
    PrivateFolder.make(folder)
    const file = await open(join(folder, nameOf(0)), "a", 0o600)
    try {
      const { size } = await file.stat()
      const fitting = firstWithin(lines, maxBytes - size)
      // A line that is longer than a whole file gets one of its own.
      const count = fitting === 0 && size === 0 ? 1 : fitting
      if (count > 0) await file.appendFile(`${lines.slice(0, count).join("\n")}\n`)
      return lines.slice(count)
    } finally {
      await file.close()
    }
  }

  const flush = Effect.suspend(() => {
    let left: ReadonlyArray<string> = waiting
    waiting = []
    return Effect.tryPromise(async () => {
      while (left.length > 0) {
        left = await write(left)
        if (left.length > 0) await rotate()
      }
      refused = false
    }).pipe(
      Effect.catch(({ cause }) => {
        waiting = [...left, ...waiting].slice(-maxWaiting)
        if (refused) return Effect.void
        refused = true
        return Effect.logWarning(`The log in ${folder} can't be written`, cause)
      })
    )
  })

  const gathered = yield* GatheredWrites.make(gatherTime, flush)

  return {
    append: (line) => {
      waiting.push(line)
      if (waiting.length > maxWaiting) waiting.shift()
      gathered()
    }
  }
})

/** How many of the first lines fit into this many bytes. */
const firstWithin = (lines: ReadonlyArray<string>, bytes: number): number => {
  let used = 0
  const over = lines.findIndex((line) => (used += Buffer.byteLength(line) + 1) > bytes)
  return over === -1 ? lines.length : over
}

const moveUp = async (from: string, to: string): Promise<void> => {
  try {
    await rename(from, to)
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error
  }
}

/**
 * Writes all log messages into the file too. With `life`, the file also says when that process began and ended. A
 * process without an end was killed, or is running.
 */
export const layer = (options: Options & { readonly life?: string }) =>
  Logger.layer(
    [
      Effect.gen(function* () {
        const clock = yield* Clock.Clock
        const file = yield* make(options)
        const secrets = Secrets.of(process.env)
        const { life } = options
        if (life !== undefined) {
          const mark = (message: string) =>
            file.append(
              LogRecord.toJson({
                time: new Date(clock.currentTimeMillisUnsafe()).toISOString(),
                level: "info",
                category: LogRecord.noCategory,
                message,
                details: { pid: process.pid }
              })
            )
          mark(`${life} begins`)
          yield* Effect.addFinalizer(() => Effect.sync(() => mark(`${life} ends`)))
        }
        return Logger.make<unknown, void>((told) => file.append(LogRecord.toJson(LogRecord.of(told), secrets)))
      })
    ],
    { mergeWithExisting: true }
  )
