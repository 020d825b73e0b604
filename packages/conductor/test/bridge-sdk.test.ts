/** MCP over ACP with the official SDK at the other end: as an agent that calls servers, and as a client that has them. */
import * as acp from "@agentclientprotocol/sdk/unstable"
import { assert, describe, it } from "@effect/vitest"
import * as MessageLink from "@signalbox/acp/MessageLink"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Sink from "effect/Sink"
import * as Stream from "effect/Stream"
import { fileURLToPath } from "node:url"
import * as Conductor from "../src/Conductor.ts"
import { agents, messagesIn, rpc, session } from "./BridgeParts.ts"
import { bridge, calculator, serving } from "./McpParts.ts"
import { byHand, connect, initialize } from "./Parts.ts"
import { node } from "./Programs.ts"

const sdkAgent = fileURLToPath(new URL("./fixtures/sdk-mcp-agent.mjs", import.meta.url))

describe("An agent on the official SDK that takes servers over ACP", () => {
  it.live("[121] calls a tool of a component, and gets errors of MCP and of the binding apart", () =>
    Effect.gen(function* () {
      const component = serving("calc", yield* calculator(Effect.die(new Error("out of luck"))))
      const agent = yield* node("sdk agent", sdkAgent)
      const client = yield* connect({ assemble: () => Effect.succeed({ agent, proxies: [component, bridge] }) })
      yield* initialize(client)
      yield* client.request("session/new", '{"cwd":"/","mcpServers":[]}')
      const ask = Effect.fnUntraced(function* (method: string, params: object = {}) {
        const text = JSON.stringify({ method, params })
        yield* client.request("session/prompt", JSON.stringify({ sessionId: "s", prompt: [{ type: "text", text }] }))
        const { params: told = "null" } = yield* Queue.take(client.heard)
        return JSON.parse(JSON.parse(told).update.content.text)
      })
      const added = yield* ask("tools/call", { name: "add", arguments: { a: 2, b: 3 } })
      assert.deepInclude(added.outcome.result, { structuredContent: { sum: 5 }, resultType: "complete" })
      assert.strictEqual((yield* ask("no/such")).outcome.error.code, -32_601)
      yield* client.request("session/close", '{"sessionId":"s"}')
      assert.deepStrictEqual((yield* ask("tools/list")).outcome, { code: -33_001 })
    })
  )
})

describe("A client on the official SDK that has a server", () => {
  it.live("is called by an agent that takes HTTP only", () =>
    Effect.gen(function* () {
      const given = yield* Deferred.make<string>()
      const agent = byHand("agent", () => ({
        onRequest: ({ method, params = "null" }, respond) => {
          if (method === "initialize") return respond({ result: agents.http })
          if (method === "session/new") Deferred.doneUnsafe(given, Effect.succeed(params))
          respond({ result: '{"sessionId":"s"}' })
        },
        onNotification: () => {}
      }))
      const up = new TransformStream<Uint8Array, Uint8Array>()
      const down = new TransformStream<Uint8Array, Uint8Array>()
      const writer = up.writable.getWriter()
      const link = yield* MessageLink.overBytes({
        input: Stream.fromReadableStream({ evaluate: () => down.readable, onError: String }),
        output: Sink.forEach((chunk: Uint8Array) => Effect.promise(() => writer.write(chunk)))
      })
      yield* Effect.forkScoped(
        Conductor.run(link, { mode: "agent", assemble: () => Effect.succeed({ agent, proxies: [bridge] }) })
      )
      const provider = new acp.McpOverAcpProvider()
      const { agent: on, client: to } = acp.methods
      const connection = acp
        .client({ name: "sdk-client" })
        .onRequest(to.mcp.message, provider.handleRequest)
        .connect(acp.ndJsonStream(down.writable, up.readable))
      const { declaration } = provider.registerServer(connection.agent, {
        name: "mine",
        handler: async (call) => {
          if (call.method === "server/discover") throw new acp.McpProtocolError(-32_601, "Not here")
          await call.notify("notifications/progress", { progress: 1 })
          return { result: { tools: [], resultType: "complete" } }
        }
      })
      const { agentCapabilities } = yield* Effect.promise(() =>
        connection.agent.request(on.initialize, { protocolVersion: 1, clientCapabilities: {} })
      )
      assert.strictEqual(agentCapabilities?.mcpCapabilities?.acp, true)
      yield* Effect.promise(() => connection.agent.request(on.session.new, { cwd: "/", mcpServers: [declaration] }))
      const [server] = JSON.parse(yield* Deferred.await(given)).mcpServers
      const { post, reply } = yield* session(server.url, server.headers[0].value)
      assert.deepInclude(JSON.parse(reply.text).result, {
        capabilities: { tools: {} },
        serverInfo: { name: "mine", version: "0" }
      })
      assert.deepStrictEqual(messagesIn(yield* post(rpc("tools/list"))), [
        { jsonrpc: "2.0", method: "notifications/progress", params: { progress: 1 } },
        { jsonrpc: "2.0", id: 1, result: { tools: [] } }
      ])
    })
  )
})
