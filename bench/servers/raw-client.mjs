// Clients of the raw-batch server, in a process of their own: `node raw-client.mjs PORT CLIENTS`. Reports when all saw the end.
import { WebSocket } from "ws"
import { Tally } from "./tally.mjs"

const [, , port, clients] = process.argv
const tally = new Tally(Number(clients))
for (let i = 0; i < tally.clients; i++) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}`, { perMessageDeflate: false })
  socket.on("open", () => tally.begin())
  socket.on("message", (data) => {
    const { payload } = JSON.parse(data)
    tally.text(payload.content?.text ?? "")
    if (payload.sessionUpdate !== "end") return
    socket.close()
    tally.end()
  })
}
