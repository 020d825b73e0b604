/** `signalbox threads delete` and `prune`: removes threads for good, after a question and an optional export. */
import type { ThreadSummary } from "@signalbox/contracts/ThreadView"
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Semaphore from "effect/Semaphore"
import { resolve } from "node:path"
import { countText, parseDuration } from "../terminal/Amount.ts"
import { confirm } from "../terminal/Confirm.ts"
import * as ExportThread from "./ExportThread.ts"
import { ExitCode } from "../terminal/ExitCode.ts"
import { usage } from "../terminal/Failure.ts"
import { threadTable } from "./ListThreads.ts"
import type { Text } from "../terminal/Ink.ts"
import { oneLine } from "../../base/Plain.ts"
import { problemShown } from "../terminal/ProblemText.ts"
import * as ServerClient from "../server/ServerClient.ts"
import * as Terminal from "../terminal/Terminal.ts"
import * as ThreadRows from "./ThreadRows.ts"
import * as StateFolder from "../server/StateFolder.ts"

interface RemovalFlags {
  readonly stateDir: Option.Option<string>
  readonly yes: boolean
  /** The folder that each thread is exported to before it is removed. */
  readonly export: Option.Option<string>
}

export interface DeleteFlags extends RemovalFlags {
  readonly threads: ReadonlyArray<string>
}

export interface PruneFlags extends RemovalFlags {
  readonly olderThan: string
  readonly dryRun: boolean
}

export const deleteThreads = Effect.fn("DeleteThreads")(function* (flags: DeleteFlags) {
  const server = yield* ServerClient.ofRunning(yield* StateFolder.of(flags.stateDir))
  const rows = yield* ThreadRows.read(server)
  const chosen = new Set(
    yield* Effect.forEach(flags.threads, (given) => ThreadRows.choose(rows, "threads delete", given))
  )
  yield* tell(rows, [...chosen])
  yield* agree("threads delete", chosen.size, flags)
  yield* remove(server, [...chosen], flags, "all")
}, Effect.scoped)

export const pruneThreads = Effect.fn("PruneThreads")(function* (flags: PruneFlags) {
  const age = parseDuration(flags.olderThan)
  if (age === undefined) {
    return yield* usage("threads prune", `--older-than ${flags.olderThan} is no length of time; 30d, 12h and 2w are.`)
  }
  const server = yield* ServerClient.ofRunning(yield* StateFolder.of(flags.stateDir))
  const rows = yield* ThreadRows.read(server)
  const before = (yield* Clock.currentTimeMillis) - age
  const isOld = (row: ThreadSummary) =>
    row.updatedAt < before && row.unreadable === undefined && !row.held && !ThreadRows.isBusy(row)
  const old = [...rows.values()].filter(isOld).sort((one, other) => one.updatedAt - other.updatedAt)
  if (old.length === 0) {
    return Terminal.err(`Nothing to remove: no thread is done and was left alone for ${flags.olderThan.trim()}.`)
  }
  yield* tell(rows, old)
  if (flags.dryRun) {
    const kept = rows.size - old.length
    return Terminal.err(`${countText(old.length, "thread")} would be removed, ${kept} kept.`)
  }
  yield* agree("threads prune", old.length, flags)
  yield* remove(server, old, flags, "unchanged")
}, Effect.scoped)

/** Prints the threads that are about to be removed. */
const tell = Effect.fnUntraced(function* (rows: ThreadRows.ThreadRows, chosen: ReadonlyArray<ThreadSummary>) {
  const now = yield* Clock.currentTimeMillis
  for (const line of threadTable(chosen, now, ThreadRows.shortIds(rows.keys()))) Terminal.out(line)
  const busy = chosen.filter(ThreadRows.isBusy).length
  if (busy > 0) Terminal.err(`${busy} of them ${busy === 1 ? "has" : "have"} an agent at work, which will be stopped.`)
})

const agree = (command: string, count: number, flags: RemovalFlags) =>
  confirm({
    command,
    question: `${Option.isSome(flags.export) ? "Export and then remove" : "Remove"} ${countText(count, "thread")}? This can't be undone.`,
    yes: flags.yes,
    otherwise: "Nothing was removed."
  })

/** Threads removed in one call. The server then frees their space in the database file together. */
const atOnce = 100

/**
 * Removes threads. A thread that can't be removed doesn't stop the removal of the others. `unchanged`: removes only
 * threads in which nothing has happened since they were listed.
 */
const remove = Effect.fnUntraced(function* (
  server: ServerClient.Connected,
  chosen: ReadonlyArray<ThreadSummary>,
  flags: RemovalFlags,
  which: "all" | "unchanged"
) {
  let failures = 0
  const exporting = yield* Semaphore.make(1)
  const removing = (row: ThreadSummary) => {
    const title = oneLine(row.title, 60)
    return exporting.withPermit(exportOne(server, row, flags)).pipe(
      Effect.andThen(deleteOne(server, row, which)),
      Effect.as<Text>(`Removed ${title}.`),
      Effect.catchTags({
        // Somebody else has removed it already.
        ThreadNotFound: () => Effect.succeed<Text>(`Removed ${title}.`),
        ThreadChanged: () => Effect.succeed<Text>(`Kept ${title}: something happened in it meanwhile.`)
      }),
      Effect.catchTag(["CommandFailed", "ThreadUnreadable"], ({ problem }) => {
        failures++
        return Effect.succeed<Text>([`Kept ${title}.`, ...problemShown(problem)])
      }),
      ServerClient.inOurWords(server)
    )
  }
  for (const some of Arr.chunksOf(chosen, atOnce)) {
    const going = yield* Effect.forEach(some, (row) => Effect.forkChild(removing(row)))
    for (const fiber of going) Terminal.err(yield* Fiber.join(fiber))
  }
  if (failures > 0) process.exitCode = ExitCode.failed
})

const exportOne = Effect.fnUntraced(function* (
  server: ServerClient.Connected,
  row: ThreadSummary,
  flags: RemovalFlags
) {
  if (Option.isNone(flags.export)) return
  const file = ExportThread.fileIn(resolve(flags.export.value), row)
  yield* ExportThread.toFile(server, row, file)
  Terminal.err(`Exported ${oneLine(row.title, 60)} to ${file}.`)
})

const deleteOne = (
  { client }: ServerClient.Connected,
  { sequence, threadId }: ThreadSummary,
  which: "all" | "unchanged"
) => client.deleteThread({ threadId, ...(which === "unchanged" && { ifSequence: sequence }) })
