// Clients of Signalbox's real server: `node signalbox-client.mjs URL TOKEN CLIENTS "deltas 50000"`. The first creates a thread on the
// flood agent, all watch it, then the prompt goes out.
import { randomUUID } from "node:crypto"
import { tmpdir } from "node:os"
import { fileURLToPath } from "node:url"
import { WebSocket } from "ws"
import { Tally } from "./tally.mjs"
import { connect } from "./wire.mjs"

const [, , url, token, clients, workload] = process.argv
const tally = new Tally(Number(clients))
const threadId = randomUUID()
const turnId = randomUUID()
const flood = fileURLToPath(new URL("../flood-agent.mjs", import.meta.url))

const connections = await Promise.all(Array.from({ length: tally.clients }, () => connect(url, token)))
const [{ call }] = connections
const command = async (body) => {
  const exit = await call("send", { commandId: randomUUID(), threadId, command: body })
  if (exit._tag !== "Success") throw new Error(`${body.type} was refused: ${JSON.stringify(exit)}`)
}
await command({
  type: "thread.create",
  provider: "scripted",
  cwd: tmpdir(),
  providerOptions: { acp: { command: process.execPath, args: [flood] } }
})

const allow = ({ digest, requestId }) =>
  void command({ type: "request.respond", requestId, response: { type: "option", optionId: "allow-once", digest } })

const take = (frame, connection, ready) => {
  if (frame.type === "snapshot") {
    // A client that fell behind gets the whole state; what it holds counts as delivered.
    if (frame.view.session.state === "ready" && !ready.done) ready.resolve()
    if (connection === connections[0])
      for (const { answered, request } of frame.view.requests) if (!answered) allow(request)
    return frame.view.turns.some(({ endedAt }) => endedAt !== undefined) ? finish(connection) : undefined
  }
  for (const { event } of frame.events) {
    if (event.type === "message.delta" || event.type === "thought.delta") tally.text(event.text)
    else if (event.type === "session.started") ready.resolve()
    else if (event.type === "approval.requested" && connection === connections[0]) allow(event.request)
    else if (event.type === "turn.completed") finish(connection)
  }
  return undefined
}

const finish = ({ socket }) => {
  if (socket.readyState !== WebSocket.OPEN) return
  socket.close()
  tally.end()
}

await Promise.all(
  connections.map(
    (connection) =>
      new Promise((resolve) => {
        void connection.call("watchThread", { threadId }, (frame) => take(frame, connection, { resolve }))
        if (connection === connections.at(-1)) void command({ type: "session.start" })
      })
  )
)
tally.begin()
await command({ type: "turn.start", turnId, prompt: [{ type: "text", text: workload }] })
