// The official SDK's client, as its documentation leads: `onNotification` for updates.
import * as acp from "@agentclientprotocol/sdk"
import { spawn } from "node:child_process"
import { Readable, Writable } from "node:stream"
import { agent, drive } from "./drive.mjs"

const closers = []

const connect = (_, history) =>
  new Promise((connected, failed) => {
    const child = spawn(process.execPath, agent(history), { stdio: ["pipe", "pipe", "inherit"], detached: true })
    let updates = 0
    let afterEnd = 0
    let ended = false
    acp
      .client({ name: "bench" })
      .onNotification(acp.methods.client.session.update, () => {
        updates++
        if (ended) afterEnd++
      })
      .onRequest(acp.methods.client.session.requestPermission, () => ({
        outcome: { outcome: "selected", optionId: "allow-once" }
      }))
      .connectWith(acp.ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout)), async (connection) => {
        await connection.request(acp.methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} })
        const place = { cwd: process.cwd(), mcpServers: [] }
        const known = "flood-session-0001"
        const sessionId =
          history === undefined
            ? (await connection.request(acp.methods.agent.session.new, place)).sessionId
            : await connection.request(acp.methods.agent.session.load, { sessionId: known, ...place }).then(() => known)
        const closed = new Promise((close) => {
          closers.push(() => {
            close()
            child.stdin.end()
          })
        })
        connected({
          prompt: async (text) => {
            ended = false
            await connection.request(acp.methods.agent.session.prompt, { sessionId, prompt: [{ type: "text", text }] })
            ended = true
          },
          counts: () => ({ updates, afterEnd })
        })
        await closed
      })
      .catch(failed)
  })

await drive(process.argv[2], connect, () => {
  for (const close of closers) close()
})
