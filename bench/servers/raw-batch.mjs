// The server to compare with: flood agent -> JSON.parse -> SQLite -> WebSocket, by hand and without any checks. What arrived in
// one turn of the event loop is one transaction; it is published after the commit, with the sockets corked. With `checkpoints` the
// WAL is carried over by a worker.
// `node raw-batch.mjs CLIENTS "deltas 50000" [checkpoints]` prints `LISTENING port` and begins when so many clients are connected.
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { randomUUID } from "node:crypto"
import { DatabaseSync } from "node:sqlite"
import { Worker } from "node:worker_threads"
import { WebSocketServer } from "ws"
import { report, since, started } from "../measure.mjs"

const clients = Number(process.argv[2])
const workload = process.argv[3]
const folder = mkdtempSync(join(tmpdir(), "raw-batch-"))
const filename = join(folder, "events.sqlite")
const db = new DatabaseSync(filename)
db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
db.exec(`CREATE TABLE event (
  sequence INTEGER PRIMARY KEY, event_id TEXT NOT NULL UNIQUE, stream TEXT NOT NULL, version INTEGER NOT NULL,
  payload TEXT NOT NULL, UNIQUE (stream, version)) STRICT`)
if (process.argv[4] === "checkpoints") {
  db.exec("PRAGMA wal_autocheckpoint = 0")
  new Worker(new URL("checkpoints.mjs", import.meta.url), { workerData: filename }).unref()
}
const insert = db.prepare("INSERT INTO event (event_id, stream, version, payload) VALUES (?, ?, ?, ?)")

const agent = spawn(process.execPath, [new URL("../flood-agent.mjs", import.meta.url).pathname], {
  stdio: ["pipe", "pipe", "inherit"]
})
const sendAgent = (message) => agent.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)

const sockets = []
let version = 0
let from
let batch = []
const publish = () => {
  const events = batch
  batch = []
  db.exec("BEGIN")
  const frames = events.map((payload) => {
    const json = JSON.stringify({ version: ++version, at: Date.now(), payload })
    insert.run(randomUUID(), "thread", version, json)
    return json
  })
  db.exec("COMMIT")
  for (const socket of sockets) {
    socket._socket.cork()
    for (const frame of frames) socket.send(frame)
    socket._socket.uncork()
  }
}

/** Pieces of a line whose end has not come. */
let rest = []
const decoder = new TextDecoder()
const waiting = new Map()
agent.stdout.on("data", (bytes) => {
  const text = decoder.decode(bytes, { stream: true })
  let start = 0
  for (let to = text.indexOf("\n"); to !== -1; to = text.indexOf("\n", start)) {
    const message = JSON.parse(rest.join("") + text.slice(start, to))
    rest = []
    start = to + 1
    if (message.method === "session/update") batch.push(message.params.update)
    else if (message.method === "session/request_permission")
      sendAgent({ id: message.id, result: { outcome: { outcome: "selected", optionId: "allow-once" } } })
    else {
      if (message.result?.stopReason) batch.push({ sessionUpdate: "end" })
      waiting.get(message.id)?.(message.result)
    }
  }
  if (start < text.length) rest.push(text.slice(start))
  if (batch.length > 0) publish()
})
const call = (id, method, params) =>
  new Promise((resolve) => {
    waiting.set(id, resolve)
    sendAgent({ id, method, params })
  })

await call(1, "initialize", { protocolVersion: 1, clientCapabilities: {} })
const { sessionId } = await call(2, "session/new", { cwd: folder, mcpServers: [] })

const server = new WebSocketServer({ host: "127.0.0.1", port: 0 })
server.on("listening", () => console.log(`LISTENING ${server.address().port}`))
server.on("connection", async (socket) => {
  socket._socket.setNoDelay(true)
  sockets.push(socket)
  if (sockets.length < clients) return
  from = started()
  await call(3, "session/prompt", { sessionId, prompt: [{ type: "text", text: workload }] })
  report({ events: version, ...since(from) })
})
process.on("SIGTERM", () => {
  agent.kill()
  db.close()
  rmSync(folder, { recursive: true, force: true })
  process.exit(0)
})
