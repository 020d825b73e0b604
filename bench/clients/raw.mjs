// The floor: split on newlines and JSON.parse, nothing checked. `node raw.mjs "deltas 200000"`.
import { spawn } from "node:child_process"
import { report, since, started } from "../measure.mjs"

const agent = spawn(process.execPath, [new URL("../flood-agent.mjs", import.meta.url).pathname], {
  stdio: ["pipe", "pipe", "inherit"]
})
const send = (message) => agent.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
const waiting = new Map()
const call = (id, method, params) =>
  new Promise((resolve) => {
    waiting.set(id, resolve)
    send({ id, method, params })
  })

let updates = 0
let afterEnd = 0
let ended = false
let rest = ""
const decoder = new TextDecoder()
agent.stdout.on("data", (bytes) => {
  const text = rest + decoder.decode(bytes, { stream: true })
  let from = 0
  for (let to = text.indexOf("\n"); to !== -1; to = text.indexOf("\n", from)) {
    const message = JSON.parse(text.slice(from, to))
    from = to + 1
    if (message.method === "session/update") {
      updates++
      if (ended) afterEnd++
    } else if (message.method === "session/request_permission") {
      send({ id: message.id, result: { outcome: { outcome: "selected", optionId: "allow-once" } } })
    } else {
      if (message.result?.stopReason) ended = true
      waiting.get(message.id)?.(message.result)
    }
  }
  rest = text.slice(from)
})

await call(1, "initialize", { protocolVersion: 1, clientCapabilities: {} })
const { sessionId } = await call(2, "session/new", { cwd: process.cwd(), mcpServers: [] })
const from = started()
await call(3, "session/prompt", { sessionId, prompt: [{ type: "text", text: process.argv[2] }] })
report({ updates, afterEnd, ...since(from) })
agent.stdin.end()
