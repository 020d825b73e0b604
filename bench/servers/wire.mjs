// The wire of Signalbox's server by hand: effect/rpc as JSON lines over a WebSocket, an Ack for each chunk of a stream, so that a
// client costs no more than a raw one.
import { WebSocket } from "ws"

/** One connection. `call` resolves with the exit of a request; `onValue` gets each value that a stream emits. */
export const connect = async (url, token) => {
  const socket = new WebSocket(`${url.replace("http", "ws")}/rpc`, {
    perMessageDeflate: false,
    headers: { authorization: `Bearer ${token}` }
  })
  const waiting = new Map()
  const send = (message) => socket.send(`${JSON.stringify(message)}\n`)
  socket.on("message", (data) => {
    if (!Buffer.isBuffer(data)) return
    for (const line of data.toString("utf8").split("\n")) {
      if (line === "") continue
      const message = JSON.parse(line)
      const request = waiting.get(message.requestId)
      if (message._tag === "Chunk") {
        for (const value of message.values) request.onValue(value)
        send({ _tag: "Ack", requestId: message.requestId })
      } else if (message._tag === "Exit") request.done(message.exit)
      else if (message._tag === "Ping") send({ _tag: "Pong" })
    }
  })
  await new Promise((open, fail) => socket.on("open", open).on("error", fail))
  let nextId = 0
  return {
    socket,
    call: (tag, payload, onValue = () => {}) =>
      new Promise((done) => {
        const id = String(nextId++)
        waiting.set(id, { done, onValue })
        send({ _tag: "Request", id, tag, payload, headers: [] })
      })
  }
}
