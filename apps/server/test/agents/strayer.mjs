// An agent that runs each prompt as a line for a shell, and answers when that shell has exited. Processes that it leaves keep running.
import { spawn } from "node:child_process"
import { createInterface } from "node:readline"

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)

createInterface({ input: process.stdin })
  .on("line", (line) => {
    const { id, method, params } = JSON.parse(line)
    if (method === "initialize") send({ id, result: { protocolVersion: 1, agentCapabilities: {} } })
    else if (method === "session/new") send({ id, result: { sessionId: "s" } })
    else if (method === "session/prompt") {
      const script = params.prompt.map(({ text = "" }) => text).join("")
      spawn("/bin/bash", ["-c", script], { stdio: "ignore" }).on("exit", () =>
        send({ id, result: { stopReason: "end_turn" } })
      )
    }
  })
  .on("close", () => process.exit(0))
