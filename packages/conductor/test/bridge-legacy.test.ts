/** Components that know the older binding of MCP over ACP only, behind a bridge that is switched to it. */
import { assert, describe, it } from "@effect/vitest"
import type * as McpOverAcp from "@signalbox/acp/McpOverAcp"
import type * as RawConnection from "@signalbox/acp/RawConnection"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as Bridge from "../src/bridge/Bridge.ts"
import * as Component from "../src/Component.ts"
import {
  agents,
  type AnswerByHand,
  ask,
  given,
  messagesIn,
  program,
  rpc,
  serverByHand,
  session
} from "./BridgeParts.ts"
import { bridge, meta, serving } from "./McpParts.ts"

const legacyBridge = Component.inProcess("bridge", (link) => Bridge.run(link, { legacy: true }))

const classic = {
  protocolVersion: "2025-06-18",
  capabilities: { tools: { listChanged: true } },
  serverInfo: { name: "older", version: "1" }
}

/** A proxy by hand with one server of the older binding. `heard` gets what reaches it. */
const legacyComponent = Effect.fnUntraced(function* (isKnown = true) {
  const heard = yield* Queue.unbounded<unknown>()
  const ready = yield* Deferred.make<RawConnection.RawConnection>()
  let connections = 0
  const answer: AnswerByHand = (method, text, respond, connection) => {
    Deferred.doneUnsafe(ready, Effect.succeed(connection))
    const params: McpOverAcp.JsonObject = JSON.parse(text)
    Queue.offerUnsafe(heard, [method, params])
    const result = (value: unknown) => respond({ result: JSON.stringify(value) })
    if (!isKnown) return respond({ error: '{"code":-32601,"message":"Not here"}' })
    if (method === "mcp/connect") return result({ connectionId: `c${(connections += 1)}` })
    if (method === "mcp/disconnect") return result({})
    const { connectionId, method: inner } = params
    if (inner === "initialize") return result(classic)
    if (inner === "fail") return respond({ error: '{"code":-32602,"message":"Wrong","data":null}' })
    if (inner === "wait") return () => void Queue.offerUnsafe(heard, "cancelled")
    const say = (said: string, about: object) =>
      connection.notify({
        side: "agent",
        method: "mcp/message",
        params: JSON.stringify({ connectionId, method: said, params: about })
      })
    say("notifications/progress", { progressToken: 7, progress: 1 })
    say("notifications/tools/list_changed", {})
    result({ connectionId, params: params["params"] })
  }
  const component = serverByHand("older", answer, (method, params) =>
    Queue.offerUnsafe(heard, [method, JSON.parse(params)])
  )
  return { component, heard, connection: Deferred.await(ready) }
})

/** A component that is connected to when the test says so. `heard` gets all else that reaches it, and nothing of that is answered. */
const slowComponent = Effect.gen(function* () {
  const heard = yield* Queue.unbounded<readonly [method: string, params: McpOverAcp.JsonObject]>()
  const connects = yield* Queue.unbounded<(connectionId: string) => void>()
  let own: RawConnection.RawConnection | undefined
  const component = serverByHand("slow", (method, text, respond, connection) => {
    own = connection
    if (method === "mcp/connect")
      Queue.offerUnsafe(connects, (connectionId) => respond({ result: JSON.stringify({ connectionId }) }))
    else Queue.offerUnsafe(heard, [method, JSON.parse(text)])
  })
  const notify = (params: object) =>
    own?.notify({ side: "agent", method: "mcp/message", params: JSON.stringify(params) })
  const ask = (params: object) =>
    Effect.callback<unknown>((resume) => {
      own?.request({ side: "agent", method: "mcp/message", params: JSON.stringify(params) }, (settled) =>
        resume(Effect.succeed(settled))
      )
    })
  return { component, heard, connect: Queue.take(connects), notify, ask }
})

/** The last server that the agent gets behind these components and a bridge. */
const behindBridge = (components: ReadonlyArray<Component.Component>, capabilities?: string) =>
  given([...components, legacyBridge], capabilities)

describe("A server that knows the older binding only", () => {
  it.live("[122] is connected to for each session, and everything passes as it is", () =>
    Effect.gen(function* () {
      const { component, heard } = yield* legacyComponent()
      const { authorization, server } = yield* behindBridge([component])
      const { headers, post, reply } = yield* session(server.url, authorization, "2025-06-18")
      assert.deepStrictEqual(JSON.parse(reply.text).result, classic)
      yield* post('{"jsonrpc":"2.0","method":"notifications/initialized"}')
      const called = yield* post(rpc("tools/call", { name: "x", _meta: { progressToken: 7 } }))
      assert.deepStrictEqual(messagesIn(called), [
        { jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: 7, progress: 1 } },
        {
          jsonrpc: "2.0",
          id: 1,
          result: { connectionId: "c1", params: { name: "x", _meta: { progressToken: 7 } } }
        }
      ])
      assert.deepStrictEqual(JSON.parse((yield* post(rpc("fail"))).text).error, {
        code: -32_602,
        message: "Wrong",
        data: null
      })
      yield* ask(server.url, { method: "DELETE", headers })
      const message = (method: string, params: object) => ["mcp/message", { connectionId: "c1", method, params }]
      const said = [
        ["mcp/connect", { serverId: "older one" }],
        message("initialize", {
          protocolVersion: "2025-06-18",
          capabilities: { roots: {} },
          clientInfo: { name: "classic", version: "1" }
        }),
        message("notifications/initialized", {}),
        message("tools/call", { name: "x", _meta: { progressToken: 7 } }),
        message("fail", {}),
        ["mcp/disconnect", { connectionId: "c1" }]
      ]
      assert.deepStrictEqual(yield* Queue.takeN(heard, said.length), said)
    })
  )

  it.live("says what is about no request over the session's stream", () =>
    Effect.gen(function* () {
      const { component } = yield* legacyComponent()
      const { authorization, server } = yield* behindBridge([component])
      const { headers, post } = yield* session(server.url, authorization)
      const stream = yield* Effect.forkChild(
        ask(server.url, { method: "GET", headers: { ...headers, accept: "text/event-stream" } })
      )
      yield* post(rpc("tools/call", { _meta: { progressToken: 7 } }))
      yield* ask(server.url, { method: "DELETE", headers })
      assert.deepStrictEqual(messagesIn(yield* Fiber.join(stream)), [
        { jsonrpc: "2.0", method: "notifications/tools/list_changed", params: {} }
      ])
    })
  )

  it.live("hears that a request is cancelled", () =>
    Effect.gen(function* () {
      const { component, heard } = yield* legacyComponent()
      const { authorization, server } = yield* behindBridge([component])
      const { post } = yield* session(server.url, authorization)
      yield* Queue.takeN(heard, 2)
      const waiting = yield* Effect.forkChild(post(rpc("wait", {}, "w")))
      assert.deepStrictEqual(yield* Queue.take(heard), [
        "mcp/message",
        { connectionId: "c1", method: "wait", params: {} }
      ])
      yield* post('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"w"}}')
      assert.strictEqual(JSON.parse((yield* Fiber.join(waiting)).text).error.code, -32_800)
      assert.strictEqual(yield* Queue.take(heard), "cancelled")
    })
  )

  it.live("is left when its answer comes after the client has gone", () =>
    Effect.gen(function* () {
      const { component, connect, heard } = yield* slowComponent
      const { authorization, server } = yield* behindBridge([component])
      const leaving = yield* Effect.forkChild(ask(server.url, { headers: { authorization }, body: rpc("initialize") }))
      const answer = yield* connect
      yield* Fiber.interrupt(leaving)
      answer("c1")
      // The bridge may learn only afterwards that the client has gone.
      const left = Effect.repeat(Queue.take(heard), { until: ([method]) => method === "mcp/disconnect" })
      assert.deepStrictEqual(yield* left, ["mcp/disconnect", { connectionId: "c1" }])
    })
  )

  it.live("gets nothing of a request that is cancelled before the connection stands", () =>
    Effect.gen(function* () {
      const { component, connect, heard } = yield* slowComponent
      const { server } = yield* behindBridge([component], agents.stdio)
      const { say, next } = yield* program(server)
      yield* say(rpc("tools/call", { name: "x" }, "early"))
      const answer = yield* connect
      yield* say('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"early"}}')
      assert.deepInclude(yield* next, { id: "early", error: { code: -32_800, message: "Request cancelled" } })
      answer("c1")
      yield* say(rpc("ping", {}, "later"))
      assert.deepStrictEqual(yield* Queue.take(heard), [
        "mcp/message",
        { connectionId: "c1", method: "ping", params: {} }
      ])
    })
  )

  it.live("is heard from the moment at which it has answered to be connected", () =>
    Effect.gen(function* () {
      const { component, connect, notify } = yield* slowComponent
      const { server } = yield* behindBridge([component], agents.stdio)
      const { next, say } = yield* program(server)
      yield* say(rpc("tools/list"))
      const answer = yield* connect
      answer("c1")
      notify({ connectionId: "c1", method: "notifications/tools/list_changed" })
      assert.deepInclude(yield* next, { method: "notifications/tools/list_changed" })
    })
  )

  it.live("can't give two sessions one connection", () =>
    Effect.gen(function* () {
      const { component, connect, heard } = yield* slowComponent
      const { authorization, server } = yield* behindBridge([component])
      const begin = () => Effect.forkChild(ask(server.url, { headers: { authorization }, body: rpc("initialize") }))
      yield* begin()
      const first = yield* connect
      first("c1")
      assert.deepInclude(yield* Queue.take(heard), "mcp/message")
      const second = yield* begin()
      const again = yield* connect
      again("c1")
      assert.deepInclude(JSON.parse((yield* Fiber.join(second)).text).error, {
        code: -33_002,
        message: 'The MCP server has given the connection "c1" twice'
      })
    })
  )

  it.live("is said to know no revision without sessions", () =>
    Effect.gen(function* () {
      const { component, heard } = yield* legacyComponent()
      const { authorization, server } = yield* behindBridge([component])
      const headers = { authorization, "mcp-protocol-version": "2026-07-28", "mcp-method": "server/discover" }
      const refused = yield* ask(server.url, { headers, body: rpc("server/discover", { _meta: meta }) })
      assert.strictEqual(refused.status, 400)
      assert.deepInclude(JSON.parse(refused.text).error, {
        code: -32_022,
        data: {
          supported: ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"],
          requested: "2026-07-28"
        }
      })
      // The connection that was opened to find that out is closed again.
      assert.deepStrictEqual(yield* Queue.takeN(heard, 2), [
        ["mcp/connect", { serverId: "older one" }],
        ["mcp/disconnect", { connectionId: "c1" }]
      ])
    })
  )

  it.live("asks the client while it works on a request, and gets the answer", () =>
    Effect.gen(function* () {
      const { ask: asked, component, connect, heard } = yield* slowComponent
      const { server } = yield* behindBridge([component], agents.stdio)
      const { next, say } = yield* program(server)
      yield* say(rpc("initialize", { capabilities: { sampling: {} } }))
      const answer = yield* connect
      answer("c1")
      yield* Queue.take(heard)
      const settled = yield* Effect.forkChild(
        asked({ connectionId: "c1", method: "sampling/createMessage", params: { n: 1 } })
      )
      const { id, ...question } = yield* next
      assert.deepStrictEqual(question, { jsonrpc: "2.0", method: "sampling/createMessage", params: { n: 1 } })
      yield* say(JSON.stringify({ jsonrpc: "2.0", id, result: { text: "Hi" } }))
      assert.deepStrictEqual(yield* Fiber.join(settled), { result: '{"text":"Hi"}' })
    })
  )

  it.live("gets an answer to its own ping, and an error to what the client does not take or does not hear", () =>
    Effect.gen(function* () {
      const { component, connection } = yield* legacyComponent()
      const { authorization, server } = yield* behindBridge([component])
      // The client has said that it has folders, and opens no stream.
      yield* session(server.url, authorization)
      const raw = yield* connection
      const asked = (method: string) =>
        Effect.callback<unknown>((resume) => {
          const params = JSON.stringify({ connectionId: "c1", method, params: {} })
          raw.request({ side: "agent", method: "mcp/message", params }, (settled) => resume(Effect.succeed(settled)))
        })
      assert.deepStrictEqual(yield* asked("ping"), { result: "{}" })
      assert.include(JSON.stringify(yield* asked("tools/list")), "-32601")
      assert.include(JSON.stringify(yield* asked("sampling/createMessage")), "-32601")
      assert.include(JSON.stringify(yield* asked("roots/list")), "The client does not hear the server at present")
    })
  )
})

describe("A bridge that is switched to the older binding", () => {
  it.live("still calls servers of the current one, in both ways", () =>
    Effect.gen(function* () {
      const { authorization, server } = yield* behindBridge([
        (yield* legacyComponent(false)).component,
        serving("t", ({ method }) => Effect.succeed({ method }))
      ])
      const { post } = yield* session(server.url, authorization)
      assert.deepStrictEqual(JSON.parse((yield* post(rpc("tools/list"))).text).result, { method: "tools/list" })
      const headers = { authorization, "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/list" }
      const called = yield* ask(server.url, { headers, body: rpc("tools/list", { _meta: meta }) })
      assert.deepStrictEqual(JSON.parse(called.text).result, { method: "tools/list" })
    })
  )

  it.live("gives an agent an address that says to take servers over ACP", () =>
    Effect.gen(function* () {
      const { component } = yield* legacyComponent()
      const { authorization, server } = yield* behindBridge([component], agents.acp)
      const { reply } = yield* session(server.url, authorization)
      assert.deepStrictEqual(JSON.parse(reply.text).result, classic)
    })
  )
})

describe("A server of the spelling with an underscore", () => {
  const address = "acp:6f2c"
  const declared = { type: "http", name: "o", url: address, headers: [] }

  /** A proxy by hand as the Rust crate `sacp` 11 makes them. `heard` gets what reaches it. */
  const underscoredComponent = Effect.gen(function* () {
    const heard = yield* Queue.unbounded<unknown>()
    const answer: AnswerByHand = (method, text, respond, connection) => {
      const params: McpOverAcp.JsonObject = JSON.parse(text)
      Queue.offerUnsafe(heard, [method, params])
      if (method === "_mcp/connect") return respond({ result: '{"connection_id":"k"}' })
      if (method !== "_mcp/message") return respond({ error: '{"code":-32601,"message":"Not here"}' })
      if (params["method"] === "initialize") return respond({ result: JSON.stringify(classic) })
      const about = { connectionId: "k", method: "notifications/progress", params: { progressToken: 7, progress: 1 } }
      connection.notify({ side: "agent", method, params: JSON.stringify(about) })
      connection.request({ side: "agent", method, params: '{"connectionId":"k","method":"ping"}' }, (settled) =>
        respond({ result: JSON.stringify(settled) })
      )
    }
    const hear = (method: string, params: string) => Queue.offerUnsafe(heard, [method, JSON.parse(params)])
    return { heard, component: serverByHand("sacp", answer, hear, declared) }
  })

  it.live("is connected to, called and left in it", () =>
    Effect.gen(function* () {
      const { component, heard } = yield* underscoredComponent
      const { authorization, server } = yield* behindBridge([component])
      const { headers, post } = yield* session(server.url, authorization)
      const called = yield* post(rpc("tools/call", { _meta: { progressToken: 7 } }))
      assert.deepStrictEqual(
        messagesIn(called).map(({ params, result }) => params ?? result),
        [{ progressToken: 7, progress: 1 }, { result: "{}" }]
      )
      yield* ask(server.url, { method: "DELETE", headers })
      const [connect, initialize, call, disconnect] = yield* Queue.takeN(heard, 4)
      assert.deepStrictEqual(connect, ["_mcp/connect", { acp_url: address }])
      assert.deepInclude(initialize, "_mcp/message")
      assert.deepStrictEqual(call, [
        "_mcp/message",
        { connectionId: "k", method: "tools/call", params: { _meta: { progressToken: 7 } } }
      ])
      assert.deepStrictEqual(disconnect, ["_mcp/disconnect", { connection_id: "k" }])
    })
  )

  it.live("reaches an agent that takes programs only", () =>
    Effect.gen(function* () {
      const { component } = yield* underscoredComponent
      const { server } = yield* behindBridge([component], agents.stdio)
      assert.deepStrictEqual(Object.keys(server).sort(), ["args", "command", "env", "name"])
      const { next, say } = yield* program(server)
      yield* say(rpc("initialize"))
      assert.deepInclude(yield* next, { id: 1, result: classic })
    })
  )

  it.live("passes as it was declared where the bridge is not switched to the older binding", () =>
    Effect.gen(function* () {
      const { component } = yield* underscoredComponent
      const { server } = yield* given([component, bridge])
      assert.deepStrictEqual(server, declared)
    })
  )
})
