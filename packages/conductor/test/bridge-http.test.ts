/** The bridge's address: classic sessions, requests of 2026-07-28, and what is refused. */
import { assert, describe, it } from "@effect/vitest"
import { RpcError } from "@signalbox/acp/JsonRpc"
import type { McpHandler } from "@signalbox/acp/McpProvider"
import { connect } from "node:net"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import { request } from "node:http"
import { ask, type Asked, messagesIn, rpc, served, session } from "./BridgeParts.ts"
import { calculator, meta } from "./McpParts.ts"

const nothing: McpHandler = () => Effect.succeed({})

/** Answers each request with what was asked. */
const echo: McpHandler = ({ method, params }) => Effect.succeed({ method, params })

describe("A session of classic MCP", () => {
  it.live("[122] begins with initialize, calls tools, and ends with DELETE", () =>
    Effect.gen(function* () {
      const { authorization, server } = yield* served(yield* calculator(Effect.succeed("")))
      const { headers, post, reply } = yield* session(server.url, authorization)
      assert.strictEqual(reply.status, 200)
      assert.deepStrictEqual(JSON.parse(reply.text).result, {
        protocolVersion: "2025-11-25",
        capabilities: { logging: {}, completions: {}, tools: { listChanged: true } },
        serverInfo: { name: "calc", version: "1.0.0" },
        instructions: "Adds."
      })
      assert.strictEqual((yield* post('{"jsonrpc":"2.0","method":"notifications/initialized"}')).status, 202)
      assert.deepStrictEqual(JSON.parse((yield* post(rpc("ping"))).text), { jsonrpc: "2.0", id: 1, result: {} })
      const { result: listed } = JSON.parse((yield* post(rpc("tools/list"))).text)
      assert.deepStrictEqual(Object.keys(listed), ["_meta", "tools"])
      const added = yield* post(rpc("tools/call", { name: "add", arguments: { a: 2, b: 3 } }, "x"))
      assert.deepInclude(JSON.parse(added.text).result, { structuredContent: { sum: 5 } })
      assert.strictEqual((yield* ask(server.url, { method: "DELETE", headers })).status, 204)
      assert.strictEqual((yield* post(rpc("ping"))).status, 404)
    })
  )

  it.live.each([
    ["2024-11-05", "2024-11-05"],
    ["2025-06-18", "2025-06-18"],
    ["2099-01-01", "2025-11-25"]
  ])("that asks for %s speaks %s", ([asked, spoken]) =>
    Effect.gen(function* () {
      const { authorization, server } = yield* served(nothing)
      const { reply } = yield* session(server.url, authorization, asked)
      assert.strictEqual(JSON.parse(reply.text).result.protocolVersion, spoken)
    })
  )

  it.live("ends when 64 others were used after it", () =>
    Effect.gen(function* () {
      const { authorization, server } = yield* served(() => Effect.succeed({}))
      const [used, unused] = [yield* session(server.url, authorization), yield* session(server.url, authorization)]
      for (let others = 0; others < 62; others++) yield* session(server.url, authorization)
      assert.strictEqual((yield* used.post(rpc("ping"))).status, 200)
      yield* session(server.url, authorization)
      assert.strictEqual((yield* used.post(rpc("ping"))).status, 200)
      assert.strictEqual((yield* unused.post(rpc("ping"))).status, 404)
    })
  )

  it.live("repeats in each request what the client has said of itself", () =>
    Effect.gen(function* () {
      const { authorization, server } = yield* served(echo)
      const { post } = yield* session(server.url, authorization)
      yield* post(rpc("logging/setLevel", { level: "debug" }))
      const { result } = JSON.parse(
        (yield* post(rpc("prompts/list", { cursor: "c", _meta: { progressToken: 7 } }))).text
      )
      assert.deepStrictEqual(result, {
        method: "prompts/list",
        params: {
          cursor: "c",
          _meta: {
            progressToken: 7,
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": { roots: {} },
            "io.modelcontextprotocol/clientInfo": { name: "classic", version: "1" },
            "io.modelcontextprotocol/logLevel": "debug"
          }
        }
      })
    })
  )

  it.live("hears what is said before the answer, in its order", () =>
    Effect.gen(function* () {
      const { authorization, server } = yield* served(({ method, notify }) =>
        method === "server/discover"
          ? Effect.succeed({})
          : Effect.as(
              Effect.forEach([1, 2], (progress) => notify("notifications/progress", { progressToken: 7, progress })),
              { done: true }
            )
      )
      const { post } = yield* session(server.url, authorization)
      const reply = yield* post(rpc("tools/call", { name: "x" }))
      assert.deepStrictEqual(messagesIn(reply), [
        { jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: 7, progress: 1 } },
        { jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: 7, progress: 2 } },
        { jsonrpc: "2.0", id: 1, result: { done: true } }
      ])
    })
  )

  it.live("stops the tool whose request is cancelled, or whose client leaves", () =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<void>()
      const again = yield* Deferred.make<void>()
      let stopped = 0
      const stops = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const { authorization, server } = yield* served(({ method }) =>
        method === "server/discover"
          ? Effect.succeed({})
          : Deferred.succeed(stopped === 0 ? begun : again, undefined).pipe(
              Effect.andThen(Effect.never),
              Effect.onInterrupt(() => Deferred.succeed(stops[stopped++] ?? begun, undefined))
            )
      )
      const { post } = yield* session(server.url, authorization)
      const cancelled = yield* Effect.forkChild(post(rpc("tools/call", {}, "a")))
      yield* Deferred.await(begun)
      yield* post('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a"}}')
      yield* Deferred.await(stops[0] ?? begun)
      assert.strictEqual(JSON.parse((yield* Fiber.join(cancelled)).text).error.code, -32_800)
      const left = yield* Effect.forkChild(post(rpc("tools/call", {}, "b")))
      yield* Deferred.await(again)
      yield* Fiber.interrupt(left)
      yield* Deferred.await(stops[1] ?? begun)
    })
  )

  it.live("stops a tool also while 64 are under way", () =>
    Effect.gen(function* () {
      const begun = yield* Queue.unbounded<void>()
      const { authorization, server } = yield* served(({ method }) =>
        method === "server/discover" ? Effect.succeed({}) : Effect.andThen(Queue.offer(begun, undefined), Effect.never)
      )
      const { post } = yield* session(server.url, authorization)
      const calls = yield* Effect.forEach(Array.from({ length: 64 }).keys(), (id) =>
        Effect.forkChild(post(rpc("tools/call", {}, id)))
      )
      yield* Queue.takeN(begun, 64)
      yield* post('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":63}}')
      const [last] = calls.slice(-1)
      assert.isDefined(last)
      if (last !== undefined) assert.strictEqual(JSON.parse((yield* Fiber.join(last)).text).error.code, -32_800)
    })
  )

  it.live("gets errors of MCP as they are, and those of the binding with their codes", () =>
    Effect.gen(function* () {
      const { authorization, server } = yield* served(({ method }) => {
        if (method === "throw") throw new Error("out of luck")
        return Effect.fail(new RpcError({ code: -32_042, message: "Not today", data: { x: null } }))
      })
      const { post, reply } = yield* session(server.url, authorization)
      // A server that can't say what it is can't be initialized. No session is left of it.
      assert.strictEqual(JSON.parse(reply.text).error.code, -32_042)
      assert.isUndefined(reply.headers["mcp-session-id"])
      assert.strictEqual((yield* post(rpc("ping"))).status, 404)
    })
  )

  it.live("says which binding error it was: code that throws, a server that has ended", () =>
    Effect.gen(function* () {
      const { authorization, client, server } = yield* served(({ method }) => {
        if (method === "throw") throw new Error("out of luck")
        return Effect.succeed({})
      })
      const { post } = yield* session(server.url, authorization)
      const { error } = JSON.parse((yield* post(rpc("throw"))).text)
      assert.strictEqual(error.code, -33_002)
      assert.include(error.message, "out of luck")
      yield* client.request("session/close", '{"sessionId":"s"}')
      assert.strictEqual(JSON.parse((yield* post(rpc("tools/list"))).text).error.code, -33_001)
    })
  )

  it.live("ends with the connection of the client, and so does all that is under way", () =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<void>()
      const { authorization, client, server } = yield* served(({ method }) =>
        method === "server/discover"
          ? Effect.succeed({})
          : Effect.andThen(Deferred.succeed(begun, undefined), Effect.never)
      )
      const { headers, post } = yield* session(server.url, authorization)
      const stream = yield* Effect.forkChild(ask(server.url, { method: "GET", headers }))
      const waiting = yield* Effect.forkChild(post(rpc("tools/call")))
      yield* Deferred.await(begun)
      yield* client.connection.close
      yield* client.ended
      yield* Fiber.join(stream)
      yield* Fiber.join(waiting)
      assert.deepInclude(yield* post(rpc("ping")), { status: 0 })
    })
  )

  it.live("stops a server whose client does not read what it says", () =>
    Effect.gen(function* () {
      const stopped = yield* Deferred.make<void>()
      const { authorization, server } = yield* served(({ method, notify }) =>
        method === "server/discover"
          ? Effect.succeed({})
          : notify("notifications/progress", { message: "x".repeat(100_000) }).pipe(
              Effect.andThen(Effect.yieldNow),
              Effect.forever,
              Effect.onInterrupt(() => Deferred.succeed(stopped, undefined))
            )
      )
      const { headers } = yield* session(server.url, authorization)
      // The answer's head is read, and nothing behind it.
      const sent = request(server.url, {
        method: "POST",
        agent: false,
        headers: { ...headers, accept: "application/json, text/event-stream", "content-type": "application/json" }
      })
      sent.on("response", (response) => response.pause())
      sent.on("error", () => {})
      sent.end(rpc("tools/call"))
      yield* Deferred.await(stopped)
      sent.destroy()
    })
  )
})

describe("Requests of MCP 2026-07-28", () => {
  const version = { "mcp-protocol-version": "2026-07-28" }

  it.live("pass each for itself, with all that stands in them", () =>
    Effect.gen(function* () {
      const { authorization, server } = yield* served(echo)
      const params = { name: "x", arguments: { y: [null] }, _meta: { ...meta, z: 1 } }
      const reply = yield* ask(server.url, {
        headers: { authorization, ...version, "mcp-method": "tools/call", "mcp-name": "x" },
        body: rpc("tools/call", params, "i")
      })
      assert.deepStrictEqual(JSON.parse(reply.text), {
        jsonrpc: "2.0",
        id: "i",
        result: { method: "tools/call", params }
      })
    })
  )

  const call = { name: "x", _meta: meta }
  const right = { ...version, "mcp-method": "tools/call", "mcp-name": "x" }
  it.live.each<readonly [string, number, number, Asked["headers"], string]>([
    ["another method than its header", 400, -32_020, { ...right, "mcp-method": "tools/list" }, rpc("tools/call", call)],
    ["another name than its header", 400, -32_020, { ...right, "mcp-name": "y" }, rpc("tools/call", call)],
    ["no name in a header", 400, -32_020, { ...right, "mcp-name": undefined }, rpc("tools/call", call)],
    [
      "another revision than its header",
      400,
      -32_020,
      { ...right, "mcp-protocol-version": "2025-11-25" },
      rpc("tools/call", call)
    ],
    ["arguments in headers", 400, -32_020, { ...right, "mcp-param-x": "1" }, rpc("tools/call", call)],
    ["no metadata", 400, -32_020, right, rpc("tools/call", { name: "x" })],
    [
      "no capabilities",
      400,
      -32_602,
      right,
      rpc("tools/call", { name: "x", _meta: { ...meta, "io.modelcontextprotocol/clientCapabilities": 1 } })
    ],
    ["no name", 400, -32_602, right, rpc("tools/call", { _meta: meta })],
    ["initialize", 404, -32_601, { ...right, "mcp-method": "initialize" }, rpc("initialize", call)]
  ])("with %s are refused with %d", ([, status, code, headers, body]) =>
    Effect.gen(function* () {
      const { authorization, server } = yield* served(() => Effect.die("reached"))
      const reply = yield* ask(server.url, { headers: { authorization, ...headers }, body })
      assert.deepStrictEqual([reply.status, JSON.parse(reply.text).error.code], [status, code])
    })
  )

  it.live("take a name that no header can hold as base64", () =>
    Effect.gen(function* () {
      const { authorization, server } = yield* served(echo)
      const name = `=?base64?${Buffer.from("Grüße").toString("base64")}?=`
      const reply = yield* ask(server.url, {
        headers: { authorization, ...right, "mcp-name": name },
        body: rpc("tools/call", { ...call, name: "Grüße" })
      })
      assert.strictEqual(reply.status, 200)
    })
  )
})

describe("The bridge's address refuses", () => {
  const ping = rpc("ping")
  const large = Buffer.alloc(1024 * 1024 + 1, " ")
  /** Asks with the token and these headers. */
  const asking =
    (headers: Asked["headers"], more: Omit<Asked, "headers"> = { body: ping }) =>
    (authorization: string): Asked => ({ headers: { authorization, ...headers }, ...more })
  it.live.each<readonly [string, number, (authorization: string, url: string) => Asked & { readonly url?: string }]>([
    ["a request without a token", 401, () => ({ body: ping })],
    ["another token", 401, asking({ authorization: `Bearer ${"x".repeat(43)}` })],
    ["a page of another site", 403, asking({ origin: "http://evil.example" })],
    ["a page of another site that wants to look", 403, asking({ origin: "http://evil.example" }, { method: "GET" })],
    ["another name", 421, asking({ host: "evil.example" })],
    ["a path of no server", 404, (authorization, url) => ({ ...asking({})(authorization), url: `${url}x` })],
    [
      "the path of another server",
      404,
      (authorization, url) => ({ ...asking({})(authorization), url: new URL("/mcp-b3RoZXI", url).href })
    ],
    ["other methods", 405, asking({}, { method: "PUT", body: ping })],
    ["HEAD", 405, asking({}, { method: "HEAD" })],
    ["a client that takes no events", 406, asking({ accept: "application/json" })],
    ["a body of another type", 415, asking({ "content-type": "text/plain" })],
    ["a body above 1 MiB", 413, asking({}, { body: large })],
    ["a body above 1 MiB without a length", 413, asking({ "transfer-encoding": "chunked" }, { body: large })],
    ["what is no JSON", 400, asking({}, { body: "{oops" })],
    ["several messages at once", 400, asking({}, { body: `[${ping}]` })],
    ["a revision that it does not know", 400, asking({ "mcp-protocol-version": "2024-01-01" })],
    ["a request outside of a session", 400, asking({})],
    ["a session that is not there", 404, asking({ "mcp-session-id": "x" })],
    ["the stream of a session that is not there", 404, asking({ "mcp-session-id": "x" }, { method: "GET" })],
    ["the end of a session that is not there", 404, asking({ "mcp-session-id": "x" }, { method: "DELETE" })]
  ])("%s, with %d", ([, status, asked]) =>
    Effect.gen(function* () {
      const { authorization, server } = yield* served(() => Effect.die("reached"))
      const { url = server.url, ...rest } = asked(authorization, server.url)
      const reply = yield* ask(url, rest)
      assert.strictEqual(reply.status, status, reply.text)
      assert.strictEqual(reply.headers["x-content-type-options"], "nosniff")
    })
  )

  it.live("whoever is not let in, and does not wait for the rest of the body", () =>
    Effect.gen(function* () {
      const { server } = yield* served(() => Effect.succeed({}))
      const { hostname, pathname, port } = new URL(server.url)
      const said = yield* Effect.callback<string>((resume) => {
        const socket = connect({ host: hostname, port: Number(port) })
        let text = ""
        socket.on("data", (part) => (text += String(part)))
        socket.on("close", () => resume(Effect.succeed(text)))
        socket.write(`POST ${pathname} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Length: 9\r\n\r\n{`)
        return Effect.sync(() => socket.destroy())
      })
      assert.match(said, /^HTTP\/1\.1 401 /)
    })
  )

  it.live("more than 64 requests at once, and takes the next one when one has ended", () =>
    Effect.gen(function* () {
      let begun = 0
      const full = yield* Deferred.make<void>()
      const release = yield* Deferred.make<void>()
      const { authorization, server } = yield* served(({ method }) => {
        if (method !== "tools/call") return Effect.succeed({})
        begun += 1
        return Effect.andThen(begun === 64 ? Deferred.succeed(full, undefined) : Effect.void, Deferred.await(release))
      })
      const { post } = yield* session(server.url, authorization)
      const waiting = yield* Effect.forkChild(
        Effect.forEach(
          Array.from({ length: 64 }, (_, id) => id),
          (id) => post(rpc("tools/call", {}, id)),
          { concurrency: "unbounded" }
        )
      )
      yield* Deferred.await(full)
      const refused = yield* post(rpc("tools/list", {}, "more"))
      assert.deepStrictEqual([refused.status, JSON.parse(refused.text).error.code], [429, -33_000])
      yield* Deferred.succeed(release, undefined)
      for (const { status } of yield* Fiber.join(waiting)) assert.strictEqual(status, 200)
      assert.strictEqual((yield* post(rpc("tools/list", {}, "more"))).status, 200)
    })
  )
})
