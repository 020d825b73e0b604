/**
 * Controls the worker thread that moves the journal into the database file and rewrites that file. Both would block
 * everything else.
 */
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as fs from "node:fs"
import { messageOf } from "@signalbox/system/SystemError"
import { Worker } from "node:worker_threads"
import { checkpointWorker } from "../base/Installation.ts"
import type { Report, Request } from "./CheckpointWorker.ts"

export interface Checkpointer {
  /** Called after each commit. Never throws, since the commit is done. */
  readonly written: () => void
  /** Waits while the journal is too long, and while the file is rewritten. */
  readonly room: Effect.Effect<void>
  /** Rewrites the file and empties the journal. Must not be called again before it is done. */
  readonly rewrite: Effect.Effect<Report>
}

/** Bytes of journal that are worth a move: about a thousand pages. */
const worthMoving = 4 * 1024 * 1024

/** Bytes of journal beyond which writers wait. A journal that grows during the move can't be started again. */
const tooLong = 4 * worthMoving

/**
 * Makes the checkpoints of the database at `filename`. The main connection must make none, and must keep the journal
 * file as long as its content (`journal_size_limit = 0`). The thread starts with the first work. `fallBack` is called
 * once, when the thread can't work any more.
 */
export const make = Effect.fnUntraced(function* (filename: string, fallBack: () => void) {
  const journal = `${filename}-wal`
  const run = Effect.runForkWith(yield* Effect.context())
  let worker: Worker | undefined
  let usable = true
  let busy = false
  /** Reports to the caller that waits for the rewrite. */
  let rewritten: ((report: Report) => void) | undefined
  /**
   * Bytes of journal at which the next move is due. After a complete move, the next commit starts the journal again.
   */
  let due = worthMoving
  const room = Latch.makeUnsafe(true)

  const size = (): number => fs.statSync(journal, { throwIfNoEntry: false })?.size ?? 0

  const endRewrite = (report: Report): void => {
    const waiting = rewritten
    rewritten = undefined
    waiting?.(report)
  }
  const gone = (why: string): void => {
    worker = undefined
    endRewrite({ of: "rewrite", refused: `the thread that does it is gone (${why})` })
    room.openUnsafe()
    if (!usable) return
    usable = false
    fallBack()
    run(
      Effect.logWarning(`Checkpoints are made by the writer from now on: the thread that made them is gone (${why}).`)
    )
  }
  const reported = (report: Report): void => {
    const { of, refused } = report
    due = size() + worthMoving
    if (of === "rewrite") endRewrite(report)
    else busy = false
    if (rewritten === undefined) room.openUnsafe()
    if (of === "move" && refused !== undefined)
      run(Effect.logWarning(`The journal of the database could not be moved: ${refused}.`))
  }
  const start = (): Worker => {
    const started = new Worker(checkpointWorker, { workerData: filename })
    started.unref()
    started.on("message", reported)
    started.on("error", (error) => gone(error.message))
    started.on("exit", () => gone("it ended"))
    return started
  }

  yield* Effect.addFinalizer(() =>
    Effect.promise(async () => {
      usable = false
      const last = worker
      if (last === undefined) return
      last.ref()
      const ended = new Promise((resolve) => last.once("exit", resolve))
      ask(last, "close")
      await ended
    })
  )
  const look = (): void => {
    const length = size()
    if (length < Math.min(due, tooLong)) return
    if (length >= tooLong) room.closeUnsafe()
    if (busy) return
    busy = true
    worker ??= start()
    ask(worker, "move")
  }
  const attempt = (work: () => void): void => {
    try {
      work()
    } catch (error) {
      gone(messageOf(error))
    }
  }
  const rewrite = Effect.callback<Report>((resume) => {
    if (!usable) return resume(Effect.succeed({ of: "rewrite", refused: "the thread that does it is gone" }))
    rewritten = (report) => resume(Effect.succeed(report))
    room.closeUnsafe()
    attempt(() => ask((worker ??= start()), "rewrite"))
  })
  return {
    written: () => {
      if (usable) attempt(look)
    },
    room: room.await,
    rewrite: Effect.uninterruptible(rewrite)
  } satisfies Checkpointer
})

const ask = (worker: Worker, request: Request): void => {
  // eslint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  worker.postMessage(request)
}
