/** Our agent role, as a real child process, against a client on the official SDK. */
import { spawn } from "node:child_process"
import { Readable, Writable } from "node:stream"
import { fileURLToPath } from "node:url"
import * as acp from "@agentclientprotocol/sdk"
import { assert, describe, it } from "@effect/vitest"

const script = fileURLToPath(new URL("fixtures/agent.ts", import.meta.url))
const { agent: to, client: on } = acp.methods

const withAgent = async <A>(
  capabilities: acp.ClientCapabilities,
  use: (context: { readonly agent: acp.ClientContext; readonly texts: Array<string> }) => Promise<A>
): Promise<A> => {
  const child = spawn(process.execPath, [script], { stdio: ["pipe", "pipe", "inherit"] })
  const exited = new Promise((resolve) => child.once("exit", resolve))
  const texts: Array<string> = []
  const output: ReadableStream<Uint8Array> = Readable.toWeb(child.stdout)
  try {
    return await acp
      .client({ name: "sdk-client" })
      .onNotification(on.session.update, ({ params: { update } }) => {
        if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text")
          texts.push(update.content.text)
      })
      .onRequest(on.session.requestPermission, () => ({ outcome: { outcome: "selected", optionId: "yes" } }))
      .onRequest(on.fs.readTextFile, ({ params }) => ({ content: `content of ${params.path}` }))
      .connectWith(acp.ndJsonStream(Writable.toWeb(child.stdin), output), async (agent) => {
        await agent.request(to.initialize, { protocolVersion: 1, clientCapabilities: capabilities })
        return await use({ agent, texts })
      })
  } finally {
    child.stdin.end()
    await exited
    assert.strictEqual(child.exitCode, 0, "ends by itself when the client goes")
  }
}

const prompt = (text: string): acp.PromptRequest => ({ sessionId: "s1", prompt: [{ type: "text", text }] })

describe("AcpAgent with a client on the official SDK", () => {
  it("answers, streams in order, asks and is cancelled", async () => {
    await withAgent({ fs: { readTextFile: true, writeTextFile: false } }, async ({ agent, texts }) => {
      const { sessionId } = await agent.request(to.session.new, { cwd: "/", mcpServers: [] })
      assert.strictEqual(sessionId, "s1")
      assert.deepStrictEqual(await agent.request(to.session.prompt, prompt("flood")), { stopReason: "end_turn" })
      assert.deepStrictEqual(
        texts.splice(0),
        Array.from({ length: 2000 }, (_, i) => String(i))
      )
      await agent.request(to.session.prompt, prompt("permission"))
      await agent.request(to.session.prompt, prompt("file"))
      assert.deepStrictEqual(texts.splice(0), ["selected", "content of /a.txt"])
      await agent.request(to.session.load, { sessionId, cwd: "/", mcpServers: [] })
      assert.deepStrictEqual(texts, ["history"])
      const turn = agent.request(to.session.prompt, prompt("wait"))
      await agent.notify(to.session.cancel, { sessionId })
      assert.deepStrictEqual(await turn, { stopReason: "cancelled" })
    })
  })

  it("refuses what the client does not offer and what it does not know itself", async () => {
    await withAgent({}, async ({ agent }) => {
      const code = (request: Promise<unknown>) =>
        request.then(
          () => undefined,
          (error: acp.RequestError) => error.code
        )
      assert.strictEqual(await code(agent.request(to.session.prompt, prompt("file"))), -32603)
      assert.strictEqual(await code(agent.request(to.session.list, {})), -32601)
      assert.strictEqual(await code(agent.request("session/prompt", { sessionId: 1 })), -32602)
      assert.strictEqual(await agent.request("_example/ping", {}), "pong")
    })
  })
})
