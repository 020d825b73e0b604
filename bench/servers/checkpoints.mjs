// WAL checkpoints away from the writer: a worker with a connection of its own. `workerData` is the database file.
import { DatabaseSync } from "node:sqlite"
import { workerData } from "node:worker_threads"

const db = new DatabaseSync(workerData)
const checkpoint = db.prepare("PRAGMA wal_checkpoint(PASSIVE)")
setInterval(() => checkpoint.get(), 100)
