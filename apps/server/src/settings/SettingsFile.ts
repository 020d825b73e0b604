/**
 * `settings.json`: the settings in force, now and at each change. People edit the file at any time with any editor. So
 * an unreadable file leaves the earlier settings in force. Its fault is reported with the line, and the file is never
 * overwritten.
 */
import type { Problem } from "@signalbox/contracts/Problem"
import { Refused } from "@signalbox/contracts/Refused"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Path from "effect/Path"
import type { PlatformError } from "effect/PlatformError"
import * as Queue from "effect/Queue"
import * as Result from "effect/Result"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import * as SubscriptionRef from "effect/SubscriptionRef"
import { watch } from "node:fs"
import { messageOf, systemRefused, type SystemRefused } from "@signalbox/system/SystemError"
import * as Exposure from "../base/Exposure.ts"
import * as FileLock from "@signalbox/system/FileLock"
import * as PrivateFile from "@signalbox/system/PrivateFile"
import * as SettingsText from "./SettingsText.ts"

export class SettingsFile extends Context.Service<
  SettingsFile,
  {
    /** Absolute. */
    readonly path: string
    /** Reads the file as it is now. */
    readonly read: Effect.Effect<SettingsText.SettingsReading>
    /** The settings in force, and again at each change. */
    readonly changes: Stream.Stream<SettingsText.SettingsReading>
    /** Sets an entry, or removes it if it is undefined. Everything else in the file stays the same. */
    readonly put: (section: SettingsText.Section, name: string, entry: unknown) => Effect.Effect<void, Refused>
  }
>()("@signalbox/server/settings/SettingsFile") {}

/** The wait until an editor has finished writing, which takes several steps. */
const settling = "100 millis"

export interface Options {
  /** The absolute path of the folder. Its file `settings.json` may be missing. */
  readonly folder: string
  /**
   * Whether the file is watched. Then the group's permission to write is removed, too. Without watching, changes are
   * noticed when the file is read.
   */
  readonly watch?: boolean
}

const nameOfFile = "settings.json"
const nameOfLock = "settings.lock"

const make = Effect.fnUntraced(function* ({ folder, watch: watched = false }: Options) {
  const fs = yield* FileSystem.FileSystem
  const paths = yield* Path.Path
  const file = paths.join(folder, nameOfFile)
  const reading = yield* Semaphore.make(1)
  const writing = yield* Semaphore.make(1)
  /** The settings in force. `seen`: the text or failure that they were read from. An equal one changes nothing. */
  const inForce = yield* SubscriptionRef.make<SettingsText.SettingsReading & { readonly seen?: string }>({
    settings: SettingsText.noSettings,
    faults: []
  })

  /** Whether the file is a pipe. Reading a pipe waits for a writer. */
  const isPipe = fs.stat(file).pipe(
    Effect.map(({ type }) => type === "FIFO"),
    Effect.orElseSucceed(() => false)
  )

  const text = Effect.gen(function* () {
    if (watched) yield* Exposure.mended([file])
    const exposure = Exposure.find([file])
    if (exposure !== undefined) return yield* Effect.fail(Exposure.problemOf(exposure))
    if (yield* isPipe)
      return yield* Effect.fail(problem("The settings can't be read.", `${file} is a pipe and no file.`, file))
    return yield* fs.readFileString(file).pipe(
      Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed("")),
      Effect.mapError((error) => unreadable(file, error))
    )
  })

  const read = Effect.gen(function* () {
    const source = yield* Effect.result(text)
    const seen = Result.match(source, { onSuccess: (text) => `is ${text}`, onFailure: ({ cause }) => `fails ${cause}` })
    const before = yield* SubscriptionRef.get(inForce)
    if (seen === before.seen) return before
    const found = Result.flatMap(source, (text) => SettingsText.read(file, text))
    const now = Result.match(found, {
      onSuccess: (reading) => ({ ...reading, seen }),
      onFailure: (problem) => ({ settings: before.settings, faults: [{ entry: [], problem }], seen })
    })
    yield* SubscriptionRef.set(inForce, now)
    return now
  }).pipe(reading.withPermits(1))

  /** The file to write: the target, if the path is a link. */
  const target = Effect.orElseSucceed(fs.realPath(file), () => file)

  const put = Effect.fn("SettingsFile.put")(
    function* (section: SettingsText.Section, name: string, entry: unknown) {
      const changed = Effect.gen(function* () {
        const before = yield* text
        const after = SettingsText.change(file, before, SettingsText.withEntry(section, name, entry))
        yield* replace(yield* target, yield* Effect.fromResult(after))
      })
      // Others write the file, too: a command line, and the server.
      yield* FileLock.alone(paths.join(folder, nameOfLock), changed, ({ message }) =>
        problem("The settings can't be written.", `${message}.`, file)
      )
      yield* read
    },
    Effect.mapError((problem) => new Refused({ problem })),
    writing.withPermits(1)
  )

  const replace = (path: string, source: string) =>
    Effect.tryPromise({
      try: () => PrivateFile.replace(path, source),
      catch: (error) => problem("The settings can't be written.", messageOf(error), file)
    })

  yield* read
  if (watched) yield* Effect.forkScoped(follow(folder, read), { startImmediately: true })
  return SettingsFile.of({ path: file, read, changes: SubscriptionRef.changes(inForce), put })
})

/** Watches the folder, since editors replace the file. If watching fails, changes are noticed when the file is read. */
const follow = (folder: string, read: Effect.Effect<unknown>) =>
  changesIn(folder).pipe(
    Stream.debounce(settling),
    Stream.runForEach(() => read),
    Effect.catch((error) => Effect.logWarning(`Changes of ${nameOfFile} are not seen at once: ${error.message}`))
  )

/** Changes of the file. The callback drops events of other files: the database in this folder changes all the time. */
const changesIn = (folder: string): Stream.Stream<void, SystemRefused> =>
  Stream.callback((queue) =>
    Effect.acquireRelease(
      Effect.try({
        try: () => {
          const watcher = watch(folder, (_, name) => {
            if (name === null || name === nameOfFile) Queue.offerUnsafe(queue, undefined)
          })
          watcher.on("error", (error) => Queue.failCauseUnsafe(queue, Cause.fail(systemRefused(error))))
          // A first read notices changes from before the watch.
          Queue.offerUnsafe(queue, undefined)
          return watcher
        },
        catch: systemRefused
      }),
      (watcher) => Effect.sync(() => watcher.close())
    )
  )

const problem = (title: string, cause: string, file: string): Problem => ({
  code: "config-invalid",
  title,
  cause,
  evidence: { path: file },
  nextSteps: [{ action: "run-command", label: `See to it that ${file} belongs to you and can be read and written` }]
})

const unreadable = (file: string, error: PlatformError) => problem("The settings can't be read.", error.message, file)

export const layer = (options: Options) => Layer.effect(SettingsFile, make(options))
