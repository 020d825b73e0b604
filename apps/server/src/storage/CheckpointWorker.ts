/**
 * Moves the journal into the database file, and rewrites that file. It has its own thread and connection, since this
 * work would otherwise block everything else. It imports only Node modules, because Node runs this file as it is.
 */
import * as fs from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { parentPort, workerData } from "node:worker_threads"

/**
 * `move` moves what it can and blocks nobody. `rewrite` writes the whole file again; other writers are refused
 * meanwhile.
 */
export type Request = "move" | "rewrite" | "close"

export interface Report {
  readonly of: Exclude<Request, "close">
  /** SQLite's message, if it refused. */
  readonly refused?: string
}

/** Milliseconds without a write after which the journal is emptied. */
const idle = 5000

/** Milliseconds that emptying the journal waits for other connections. */
const patience = 1000

/** How often newly written pages are moved too. SQLite starts the journal again only after all of it was moved. */
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

/**
 * The rewritten content stands in the journal until it is moved. Once the journal is empty, nothing of the old content
 * is left.
 */
const rewrite = (): void => {
  try {
    // Files from before 0.2 can't shrink until they are rewritten.
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
    return { of, refused: error instanceof Error ? error.message : String(error) }
  }
}

const resting = setInterval(() => {
  // A failure here is ignored. If its cause remains, the next move reports it.
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
