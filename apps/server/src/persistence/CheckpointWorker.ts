/**
 * Moves the journal into the database file, on a thread and a connection of its own: the two syncs that it takes would otherwise
 * hold up whoever writes. Imports nothing but Node, since it is run as it stands.
 */
import * as fs from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { parentPort, workerData } from "node:worker_threads"

/** `passive` moves what it can without waiting for anybody; `truncate` waits for writers, and leaves an empty journal. */
export type Request = "passive" | "truncate" | "close"

/** `moved`: whether nothing of the journal was left to be moved. */
export type Report = { readonly moved: boolean } | { readonly refused: string }

/** A journal that nobody wrote to for so many milliseconds is emptied. */
const idle = 5000

/** Milliseconds that `truncate` waits for writers. */
const patience = 1000

const filename = String(workerData)
const journal = `${filename}-wal`
const database = new DatabaseSync(filename)
database.exec(`PRAGMA busy_timeout = ${patience}; PRAGMA wal_autocheckpoint = 0; PRAGMA journal_size_limit = 0`)

const checkpoint = (request: Exclude<Request, "close">): Report => {
  try {
    const row = database.prepare(`PRAGMA wal_checkpoint(${request})`).get()
    return { moved: row?.busy === 0 && row.log === row.checkpointed }
  } catch (error) {
    return { refused: String(error) }
  }
}

const resting = setInterval(() => {
  const found = fs.statSync(journal, { throwIfNoEntry: false })
  if (found !== undefined && found.size > 0 && Date.now() - found.mtimeMs > idle) checkpoint("truncate")
}, idle)

parentPort?.on("message", (request: Request) => {
  if (request !== "close") {
    // eslint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    parentPort?.postMessage(checkpoint(request))
    return
  }
  clearInterval(resting)
  database.close()
  parentPort?.close()
})
