// What one command costs: `node commands.mjs by-hand` or `node commands.mjs signalbox [EVENTS]`, one after the other, each on the
// disk before the next. By hand it is the receipt looked up, then event, row and receipt in one transaction.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { randomUUID } from "node:crypto"
import { DatabaseSync } from "node:sqlite"
import { percentile, report } from "../measure.mjs"

const [, , subject, events = "0"] = process.argv
const commands = 2000
const folder = mkdtempSync(join(tmpdir(), "bench-commands-"))
const filename = join(folder, "signalbox.sqlite")

const timed = (times) => {
  const micros = times.slice(200)
  report({ p50us: percentile(micros, 0.5), p99us: percentile(micros, 0.99) })
}

const byHand = () => {
  const db = new DatabaseSync(filename)
  db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0")
  db.exec(`CREATE TABLE receipt (thread TEXT, command TEXT, sequence INTEGER, PRIMARY KEY (thread, command)) WITHOUT ROWID;
    CREATE TABLE event (thread TEXT, sequence INTEGER, payload TEXT, PRIMARY KEY (thread, sequence)) WITHOUT ROWID;
    CREATE TABLE thread (id TEXT PRIMARY KEY, summary TEXT) WITHOUT ROWID`)
  const known = db.prepare("SELECT sequence FROM receipt WHERE thread = ? AND command = ?")
  const event = db.prepare("INSERT INTO event VALUES (?, ?, ?)")
  const row = db.prepare("INSERT OR REPLACE INTO thread VALUES (?, ?)")
  const receipt = db.prepare("INSERT INTO receipt VALUES (?, ?, ?)")
  const times = []
  for (let sequence = 1; sequence <= commands; sequence++) {
    const from = performance.now()
    const commandId = randomUUID()
    const title = `Title ${sequence}`
    db.exec("BEGIN IMMEDIATE")
    known.get("t", commandId)
    event.run("t", sequence, JSON.stringify({ type: "thread.renamed", threadId: "t", at: Date.now(), title }))
    row.run("t", JSON.stringify({ threadId: "t", sequence, title, cwd: "/project", updatedAt: Date.now() }))
    receipt.run("t", commandId, sequence)
    db.exec("COMMIT")
    times.push((performance.now() - from) * 1000)
  }
  db.close()
  timed(times)
}

const signalbox = async () => {
  const Effect = await import("effect/Effect")
  const { history, withHost } = await import("./host.mjs")
  await withHost(filename, (host) =>
    Effect.gen(function* () {
      yield* events === "0" ? host.create("t") : history(host, "t", Number(events))
      const times = []
      for (let sequence = 1; sequence <= commands; sequence++) {
        const from = performance.now()
        yield* host.send("t", { type: "thread.rename", title: `Title ${sequence}` })
        times.push((performance.now() - from) * 1000)
      }
      timed(times)
    })
  )
}

if (subject === "by-hand") byHand()
else await signalbox()
rmSync(folder, { recursive: true, force: true })
