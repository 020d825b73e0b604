/**
 * Moves the journal into the database file, and rewrites that file. It does so on a thread and a connection of its own: the time that it
 * takes would otherwise hold up all else. Imports nothing but Node, since it is run as it stands.
 */
import * as fs from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { parentPort, workerData } from "node:worker_threads"

/** `move` moves what it can, and holds up nobody. `rewrite` writes all that is kept anew; whoever else writes is refused meanwhile. */
export type Request = "move" | "rewrite" | "close"

export interface Report {
  readonly of: Exclude<Request, "close">
  /** What SQLite said, when it refused. */
  readonly refused?: string
}

/** A journal that nobody wrote to for so many milliseconds is emptied. */
const idle = 5000

/** Milliseconds that emptying the journal waits for others. */
const patience = 1000

/** How often what was written meanwhile is moved too: only a journal that was moved as a whole can be begun anew. */
const passes = 3

const filename = String(workerData)
const journal = `${filename}-wal`
const database = new DatabaseSync(filename)
database.exec(`PRAGMA busy_timeout = ${patience}; PRAGMA wal_autocheckpoint = 0; PRAGMA journal_size_limit = 0`)

const passive = database.prepare("PRAGMA wal_checkpoint(PASSIVE)")
const truncate = database.prepare("PRAGMA wal_checkpoint(TRUNCATE)")

const move = (): void => {
  let before: unknown
  for (let pass = 0; pass < passes; pass++) {
    const log = passive.get()?.log
    if (log === before) return
    before = log
  }
}

const empty = (): void => {
  if (truncate.get()?.busy !== 0) throw new Error("another program reads the journal")
}

/** The journal holds the new file until it is moved: nothing of the old one is left when it is empty. */
const rewrite = (): void => {
  try {
    // Files of before 0.2 can't shrink until they are rewritten.
    database.exec("PRAGMA auto_vacuum = INCREMENTAL; VACUUM")
  } finally {
    empty()
  }
}

const works = { move, rewrite }

const reportOf = (of: Report["of"], work: () => void): Report => {
  try {
    work()
    return { of }
  } catch (error) {
    return { of, refused: String(error) }
  }
}

const resting = setInterval(() => {
  // What is in its way now is told by the next move, if it still is.
  const found = fs.statSync(journal, { throwIfNoEntry: false })
  if (found !== undefined && found.size > 0 && Date.now() - found.mtimeMs > idle) reportOf("move", empty)
}, idle)

parentPort?.on("message", (request: Request) => {
  if (request !== "close") {
    // eslint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    parentPort?.postMessage(reportOf(request, works[request]))
    return
  }
  clearInterval(resting)
  database.close()
  parentPort?.close()
})
