// The official SDK's client, as its documentation leads: `onNotification` for updates.
import * as acp from "@agentclientprotocol/sdk"
import { spawn } from "node:child_process"
import { Readable, Writable } from "node:stream"
import { report, since, started } from "../measure.mjs"

const agent = spawn(process.execPath, [new URL("../flood-agent.mjs", import.meta.url).pathname], {
  stdio: ["pipe", "pipe", "inherit"]
})
let updates = 0
let afterEnd = 0
let ended = false
await acp
  .client({ name: "bench" })
  .onNotification(acp.methods.client.session.update, () => {
    updates++
    if (ended) afterEnd++
  })
  .onRequest(acp.methods.client.session.requestPermission, () => ({
    outcome: { outcome: "selected", optionId: "allow-once" }
  }))
  .connectWith(acp.ndJsonStream(Writable.toWeb(agent.stdin), Readable.toWeb(agent.stdout)), async (connection) => {
    await connection.request(acp.methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} })
    const { sessionId } = await connection.request(acp.methods.agent.session.new, {
      cwd: process.cwd(),
      mcpServers: []
    })
    const from = started()
    await connection.request(acp.methods.agent.session.prompt, {
      sessionId,
      prompt: [{ type: "text", text: process.argv[2] }]
    })
    ended = true
    report({ updates, afterEnd, ...since(from) })
  })
agent.stdin.end()
