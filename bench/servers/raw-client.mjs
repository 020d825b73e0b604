// A client of the raw-batch server, in a process of its own: `node raw-client.mjs PORT`.
import { WebSocket } from "ws"
import { percentile, report, since, started } from "../measure.mjs"

const socket = new WebSocket(`ws://127.0.0.1:${process.argv[2]}`, { perMessageDeflate: false })
let characters = 0
let events = 0
const latencies = []
let from
socket.on("open", () => {
  from = started()
})
socket.on("message", (data) => {
  const { payload } = JSON.parse(data)
  events++
  const text = payload.content?.text ?? ""
  characters += text.length
  for (const [, at] of text.matchAll(/at=(\d+);/g)) latencies.push(Number(process.hrtime.bigint() / 1000n) - Number(at))
  if (payload.sessionUpdate !== "end") return
  report({
    events,
    characters,
    ...(latencies.length > 0 && { p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99) }),
    ...since(from)
  })
  socket.close()
})
