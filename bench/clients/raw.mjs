// The floor: split on newlines and JSON.parse, nothing checked. `node raw.mjs "deltas 200000"`.
import { spawn } from "node:child_process"
import { agent, drive } from "./drive.mjs"

const children = []

const connect = async (_, history) => {
  const child = spawn(process.execPath, agent(history), { stdio: ["pipe", "pipe", "inherit"], detached: true })
  children.push(child)
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
  const waiting = new Map()
  let lastId = 0
  const call = (method, params) =>
    new Promise((resolve) => {
      lastId += 1
      waiting.set(lastId, resolve)
      send({ id: lastId, method, params })
    })

  let updates = 0
  let afterEnd = 0
  let ended = false
  let rest = ""
  const decoder = new TextDecoder()
  child.stdout.on("data", (bytes) => {
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

  await call("initialize", { protocolVersion: 1, clientCapabilities: {} })
  const place = { cwd: process.cwd(), mcpServers: [] }
  const known = "flood-session-0001"
  const sessionId =
    history === undefined
      ? (await call("session/new", place)).sessionId
      : await call("session/load", { sessionId: known, ...place }).then(() => known)
  return {
    prompt: (text) => {
      ended = false
      return call("session/prompt", { sessionId, prompt: [{ type: "text", text }] })
    },
    counts: () => ({ updates, afterEnd })
  }
}

await drive(process.argv[2], connect, () => {
  for (const child of children) child.stdin.end()
})
