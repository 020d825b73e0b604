/** `signalbox threads export`: a whole thread as lines of JSON, on stdout or in a file. */
import type { ThreadSummary } from "@signalbox/contracts/ThreadView"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { existsSync } from "node:fs"
import { type FileHandle, open, rename, rm } from "node:fs/promises"
import { join, resolve } from "node:path"
import { messageOf } from "@signalbox/system/SystemError"
import { notice } from "@signalbox/redaction/Secrets"
import * as PrivateFolder from "@signalbox/system/PrivateFolder"
import * as TapeName from "../../tape/TapeName.ts"
import { bytesText } from "../terminal/Amount.ts"
import { failedWith } from "../terminal/Failure.ts"
import { oneLine } from "../../base/Plain.ts"
import * as ServerClient from "../server/ServerClient.ts"
import * as Stdout from "../terminal/Stdout.ts"
import * as Terminal from "../terminal/Terminal.ts"
import * as ThreadRows from "./ThreadRows.ts"
import * as StateFolder from "../server/StateFolder.ts"

export interface ExportFlags {
  readonly stateDir: Option.Option<string>
  readonly thread: string
  readonly output: Option.Option<string>
}

export const exportThread = Effect.fn("ExportThread")(function* ({ output, stateDir, thread }: ExportFlags) {
  const server = yield* ServerClient.ofRunning(yield* StateFolder.of(stateDir))
  const row = yield* ThreadRows.choose(yield* ThreadRows.read(server), "threads export", thread)
  if (Option.isNone(output)) {
    yield* server.client
      .exportThread({ threadId: row.threadId })
      .pipe(Stream.runForEach(Stdout.json), Stdout.unlessNobodyReads, ServerClient.inOurWords(server))
    return Terminal.err(notice)
  }
  const path = resolve(output.value)
  const bytes = yield* ServerClient.inOurWords(server)(toFile(server, row, path))
  Terminal.err(`Exported ${oneLine(row.title, 60)} to ${path}, ${bytesText(bytes)}.
${notice}`)
}, Effect.scoped)

/** The path of a thread's file in a folder of exports. */
export const fileIn = (folder: string, { threadId }: ThreadSummary): string =>
  join(folder, `${TapeName.ofThread(threadId)}.jsonl`)

/**
 * Writes a thread into a new file that only its owner can read, and returns its size. Makes the folder if it is
 * missing. The file gets its name once all of it is on the disk.
 */
export const toFile = Effect.fn("ExportThread.toFile")(function* (
  { client }: ServerClient.Connected,
  { threadId }: ThreadSummary,
  path: string
) {
  const draft = `${path}.${process.pid}.partial`
  const attempt = <A>(what: () => Promise<A>) => Effect.tryPromise({ try: what, catch: notWritten(path) })
  if (existsSync(path)) return yield* notWritten(path)(new Error("There is such a file already."))
  yield* attempt(async () => PrivateFolder.make(resolve(path, "..")))
  return yield* Effect.acquireUseRelease(
    attempt(() => open(draft, "w", 0o600)),
    Effect.fnUntraced(function* (file: FileHandle) {
      yield* Stream.runForEach(client.exportThread({ threadId }), (text) => attempt(() => file.appendFile(text)))
      yield* attempt(() => file.sync())
      const { size } = yield* attempt(() => file.stat())
      yield* attempt(() => rename(draft, path))
      return size
    }),
    (file) =>
      Effect.promise(async () => {
        await file.close()
        await rm(draft, { force: true })
      })
  )
})

const notWritten = (path: string) => (error: unknown) =>
  failedWith({
    code: "storage",
    title: "The export could not be written.",
    cause: messageOf(error),
    evidence: { path },
    nextSteps: [{ action: "restart", label: "Name another file or folder" }]
  })
