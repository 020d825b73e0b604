// The least that a client does before an agent speaks: `node first.mjs AGENT` prints its lines, and ends with its turn.
import { spawn } from "node:child_process"
import { createInterface } from "node:readline"

const agent = spawn(process.execPath, [process.argv[2]], { stdio: ["pipe", "pipe", "inherit"] })
const send = (id, method, params) => agent.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`)

createInterface({ input: agent.stdout }).on("line", (line) => {
  process.stdout.write(`${line}\n`)
  const { id, result } = JSON.parse(line)
  if (id === 1) send(2, "session/new", { cwd: process.cwd(), mcpServers: [] })
  else if (id === 2)
    send(3, "session/prompt", { sessionId: result.sessionId, prompt: [{ type: "text", text: "deltas 1" }] })
  else if (id === 3) agent.kill()
})
send(1, "initialize", { protocolVersion: 1, clientCapabilities: {} })
