// What a restart and a catch-up cost at the least: `node rows.mjs DATABASE` reads the rows of the thread `t` as they are, listens,
// prints `LISTENING port`, and sends whoever connects all of them, page by page from the latest back, as the real server is asked for.
import { DatabaseSync } from "node:sqlite"
import { WebSocketServer } from "ws"

const pageSize = 2_000
const db = new DatabaseSync(process.argv[2])
const latest = db.prepare("SELECT position, payload FROM items WHERE thread_id = 't' ORDER BY position DESC LIMIT ?")
const before = db.prepare(
  "SELECT position, payload FROM items WHERE thread_id = 't' AND position < ? ORDER BY position DESC LIMIT ?"
)
const all = db.prepare("SELECT payload FROM items WHERE thread_id = 't' ORDER BY position")
const read = all.all().map(({ payload }) => JSON.parse(payload))

const server = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: false })
server.on("listening", () => console.log(`LISTENING ${server.address().port} ${read.length}`))
server.on("connection", (socket) => {
  socket._socket.setNoDelay(true)
  // One page for each message of the client: it asks, as a page does.
  let rows
  socket.on("message", () => {
    rows = rows === undefined ? latest.all(pageSize) : before.all(rows.at(-1).position, pageSize)
    const items = rows.map(({ payload }) => JSON.parse(payload)).reverse()
    socket.send(JSON.stringify({ items, more: rows.length === pageSize }))
    if (rows.length < pageSize) socket.close()
  })
})
process.on("SIGTERM", () => process.exit(0))
