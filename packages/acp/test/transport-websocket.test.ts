/** WebSockets in detail: what goes over the wire and how it ends, against a server by hand; and an agent of ours behind one. */
import { createServer } from "node:http"
import * as sdk from "@agentclientprotocol/sdk"
import { createWebSocketStream } from "@agentclientprotocol/sdk/experimental/ws-client"
import * as NodeWS from "@effect/platform-node/NodeWS"
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import * as AcpAgent from "../src/AcpAgent.ts"
import * as AcpClient from "../src/AcpClient.ts"
import * as WebSocketTransport from "../src/WebSocketTransport.ts"

const hello = { clientInfo: { name: "test", version: "0" } }

/** A server of WebSockets; `accept` gets each of them. A request for `/closed` is refused. */
const serve = Effect.fnUntraced(function* (
  accept: (socket: NodeWS.WebSocket, authorization: string | undefined) => void
) {
  const sockets = new NodeWS.WebSocketServer({ noServer: true })
  sockets.on("headers", (headers) => headers.push("Acp-Connection-Id: c1"))
  const server = yield* Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createServer>>((resume) => {
      const made = createServer()
      made.on("upgrade", (request, socket, head) => {
        if (request.url === "/closed") socket.end("HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n")
        else sockets.handleUpgrade(request, socket, head, (each) => accept(each, request.headers.authorization))
      })
      made.listen(0, "127.0.0.1", () => resume(Effect.succeed(made)))
    }),
    (made) =>
      Effect.sync(() => {
        for (const each of sockets.clients) each.terminate()
        made.close()
        made.closeAllConnections()
      })
  )
  const address = server.address()
  return `ws://127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}`
})

const connect = Effect.fnUntraced(function* (url: string, onText: (text: string) => void = () => {}) {
  const transport = yield* WebSocketTransport.make({ url, headers: { authorization: "Bearer secret" } })
  const issues: Array<AcpClient.Issue> = []
  const client = yield* AcpClient.make(transport, {
    onUpdates: (batch) =>
      Effect.sync(() => {
        for (const each of batch) {
          if (each._tag !== "Known" || each.update.sessionUpdate !== "agent_message_chunk") continue
          if (each.update.content.type === "text") onText(each.update.content.text)
        }
      }),
    requestPermission: () => Effect.succeed({ outcome: { outcome: "cancelled" } }),
    onIssue: (issue) => issues.push(issue)
  })
  return { client, transport, issues }
})

const update = (said: string) => ({
  jsonrpc: "2.0",
  method: "session/update",
  params: { sessionId: "s", update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: said } } }
})

const initialized = { jsonrpc: "2.0", id: 0, result: { protocolVersion: 1 } }

describe("[124] WebSocketTransport", () => {
  it.live(
    "sends a text frame per message, initialize first; reads text frames, whatever their white space; ignores binary",
    () =>
      Effect.gen(function* () {
        const frames: Array<unknown> = []
        const closed = yield* Deferred.make<number>()
        const url = yield* serve((socket, authorization) => {
          assert.strictEqual(authorization, "Bearer secret")
          socket.on("close", (code) => Deferred.doneUnsafe(closed, Exit.succeed(code)))
          socket.addEventListener("message", ({ data }) => {
            frames.push(typeof data === "string" ? JSON.parse(data).method : data)
            if (frames.length > 1) return
            socket.send(JSON.stringify(update("binary")), { binary: true })
            socket.send(JSON.stringify(update("line\nbreak"), undefined, 2))
            socket.send(JSON.stringify(initialized))
          })
        })
        const scope = yield* Scope.make()
        const texts: Array<string> = []
        const { client, issues, transport } = yield* Scope.provide(
          connect(url, (text) => texts.push(text)),
          scope
        )
        assert.strictEqual(transport.connectionId(), "c1")
        yield* client.initialize(hello)
        yield* client.extNotification("_test/one", {})
        yield* client.extNotification("_test/last", {})
        yield* Scope.close(scope, Exit.void)
        assert.strictEqual(yield* Deferred.await(closed), 1000)
        assert.deepStrictEqual(texts, ["line\nbreak"])
        assert.deepStrictEqual(issues, [])
        assert.deepStrictEqual(frames, ["initialize", "_test/one", "_test/last"])
      }).pipe(Effect.provide(NodeWS.layerWebSocketConstructor))
  )

  it.live.each([
    [1000, undefined],
    [1001, undefined],
    [1008, "Closed"],
    [1011, "Closed"],
    [4000, "Closed"]
  ] as const)("a close with %i is the end; reason: %s", ([code, reason]) =>
    Effect.gen(function* () {
      const url = yield* serve((socket) => socket.on("message", () => socket.close(code, "because")))
      const { client } = yield* connect(url)
      assert.strictEqual((yield* Effect.flip(client.initialize(hello)))._tag, "ConnectionClosed")
      const closed = yield* client.closed
      if (reason === undefined) assert.deepInclude(closed, { reason: "InputEnded" })
      else {
        assert.deepInclude(closed.transport, { reason, closeCode: code })
        assert.include(closed.message, "because")
      }
    }).pipe(Effect.provide(NodeWS.layerWebSocketConstructor))
  )

  it.live("a connection that is cut off, and one that does not come about, have their reasons", () =>
    Effect.gen(function* () {
      const url = yield* serve((socket) => socket.on("message", () => socket.terminate()))
      const { client } = yield* connect(url)
      yield* Effect.flip(client.initialize(hello))
      assert.deepInclude((yield* client.closed).transport, { reason: "Unreachable", closeCode: 1006 })
      assert.deepInclude(yield* Effect.flip(WebSocketTransport.make({ url: `${url}/closed` })), {
        _tag: "TransportError",
        reason: "Unauthorized",
        status: 401
      })
      assert.deepInclude(yield* Effect.flip(WebSocketTransport.make({ url: "ws://127.0.0.1:1" })), {
        _tag: "TransportError",
        reason: "Unreachable"
      })
    }).pipe(Effect.provide(NodeWS.layerWebSocketConstructor))
  )

  it.effect("a server that does not answer the farewell is left after two seconds", () =>
    Effect.gen(function* () {
      const url = yield* serve((socket) => socket.pause())
      const scope = yield* Scope.make()
      yield* Scope.provide(connect(url), scope)
      const closing = yield* Effect.forkChild(Scope.close(scope, Exit.void), { startImmediately: true })
      yield* TestClock.adjust("1 second")
      assert.isUndefined(closing.pollUnsafe())
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(closing)
    }).pipe(Effect.provide(NodeWS.layerWebSocketConstructor))
  )

  it.live("carries an agent of ours, for a client on the official SDK", () =>
    Effect.gen(function* () {
      const accepted = yield* Deferred.make<NodeWS.WebSocket>()
      const url = yield* serve((socket) => Deferred.doneUnsafe(accepted, Exit.succeed(socket)))
      const said: Array<unknown> = []
      const turn = Effect.promise(() =>
        sdk
          .client({ name: "sdk-client" })
          .onNotification(sdk.methods.client.session.update, ({ params }) => void said.push(params.update))
          .connectWith(createWebSocketStream(url, { WebSocket: NodeWS.WebSocket }), async (agent) => {
            const { agent: to } = sdk.methods
            await agent.request(to.initialize, { protocolVersion: 1 })
            const { sessionId } = await agent.request(to.session.new, { cwd: "/", mcpServers: [] })
            return agent.request(to.session.prompt, { sessionId, prompt: [{ type: "text", text: "Hello" }] })
          })
      )
      const agent = Effect.gen(function* () {
        const transport = yield* WebSocketTransport.fromWebSocket(Deferred.await(accepted))
        const { closed } = yield* AcpAgent.make(transport, (client) => ({
          initialize: () => Effect.succeed({ protocolVersion: 1 }),
          newSession: () => Effect.succeed({ sessionId: "s" }),
          prompt: Effect.fnUntraced(function* ({ prompt, sessionId }) {
            for (const content of prompt) {
              yield* Effect.orDie(client.sendUpdate(sessionId, { sessionUpdate: "agent_message_chunk", content }))
            }
            return { stopReason: "end_turn" }
          })
        }))
        return yield* closed
      })
      const [result, closed] = yield* Effect.all([turn, Effect.scoped(agent)], { concurrency: 2 })
      assert.deepStrictEqual(result, { stopReason: "end_turn" })
      assert.deepStrictEqual(said, [{ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Hello" } }])
      assert.strictEqual(closed.reason, "InputEnded")
    })
  )
})
