import * as acp from "@agentclientprotocol/sdk"
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable, Writable } from "node:stream"
import { afterAll, assert, describe, it } from "vitest"

const folder = mkdtempSync(join(tmpdir(), "quote-"))
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs one process of the agent, and returns what it says, piece by piece, to each prompt. */
const withAgent = async (
  use: (connection: acp.ClientContext, prompt: (sessionId: string) => Promise<Array<string>>) => Promise<void>
) => {
  const agent = spawn(process.execPath, [join(import.meta.dirname, "../src/quote/main.ts"), folder], {
    stdio: ["pipe", "pipe", "inherit"]
  })
  const exited = new Promise((resolve) => agent.on("exit", resolve))
  let texts: Array<string> = []
  await acp
    .client({ name: "test" })
    .onNotification(acp.methods.client.session.update, ({ params }) => {
      if (params.update.sessionUpdate === "agent_message_chunk" && params.update.content.type === "text")
        texts.push(params.update.content.text)
    })
    .connectWith(acp.ndJsonStream(Writable.toWeb(agent.stdin), Readable.toWeb(agent.stdout)), async (connection) => {
      await connection.request(acp.methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} })
      await use(connection, async (sessionId) => {
        texts = []
        await connection.request(acp.methods.agent.session.prompt, {
          sessionId,
          prompt: [{ type: "text", text: "More" }]
        })
        return texts
      })
    })
  agent.stdin.end()
  assert.strictEqual(await exited, 0)
}

describe("The quote agent", () => {
  it("serves each session its own quotes, word by word, and goes on in another process", async () => {
    const setup: acp.NewSessionRequest = { cwd: folder, mcpServers: [] }
    let first = ""
    await withAgent(async (connection, prompt) => {
      first = (await connection.request(acp.methods.agent.session.new, setup)).sessionId
      const second = (await connection.request(acp.methods.agent.session.new, setup)).sessionId
      const words = await prompt(first)
      assert.deepStrictEqual(words.slice(0, 3), ["Sing, ", "O ", "goddess, "])
      assert.match((await prompt(first)).join(""), /^Tell me, O Muse/)
      assert.deepStrictEqual(await prompt(second), words)
    })
    await withAgent(async (connection, prompt) => {
      await connection.request(acp.methods.agent.session.resume, { sessionId: first, ...setup })
      assert.match((await prompt(first)).join(""), /^Now when the child of morning/)
    })
  })
})
