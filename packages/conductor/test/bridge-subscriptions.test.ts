/** Changes of lists and resources, as clients of classic MCP hear of them. */
import { assert, describe, it } from "@effect/vitest"
import { RpcError } from "@signalbox/acp/JsonRpc"
import type { McpCall, McpHandler } from "@signalbox/acp/McpProvider"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import { request } from "node:http"
import { createInterface } from "node:readline"
import { spawn } from "node:child_process"
import { agents, open, rpc, served, session } from "./BridgeParts.ts"

const capabilities = { tools: { listChanged: true }, resources: { subscribe: true } }

/** Listening of the bridge, as the server sees it. */
interface Listening {
  readonly filter: unknown
  /** Says something to the client. */
  readonly say: McpCall["notify"]
  readonly ended: Effect.Effect<void>
}

/** A server with changes. Each listening is in `listenings`. It refuses resources that are called so, and agrees to no silent ones. */
const changing = Effect.gen(function* () {
  const listenings = yield* Queue.unbounded<Listening>()
  const handler: McpHandler = ({ method, notify, params }) =>
    Effect.gen(function* () {
      if (method === "server/discover") return { capabilities }
      if (method !== "subscriptions/listen") return {}
      if (JSON.stringify(params["notifications"]).includes("refused:"))
        return yield* new RpcError({ code: -32_002, message: "Resource not found" })
      const ended = yield* Deferred.make<void>()
      if (!JSON.stringify(params["notifications"]).includes("silent:"))
        yield* notify("notifications/subscriptions/acknowledged", { notifications: params["notifications"] })
      yield* Queue.offer(listenings, { filter: params["notifications"], say: notify, ended: Deferred.await(ended) })
      return yield* Effect.onInterrupt(Effect.never, () => Deferred.succeed(ended, undefined))
    })
  return { handler, listenings, next: Queue.take(listenings) }
})

/** The stream of a session: its messages, as they come. It ends with the scope. */
const streamOf = Effect.fnUntraced(function* (url: string, headers: { readonly [name: string]: string }) {
  const messages = yield* Queue.unbounded<unknown>()
  const sent = yield* Effect.acquireRelease(
    Effect.sync(() => request(url, { headers: { ...headers, accept: "text/event-stream" }, agent: false })),
    (open) => Effect.sync(() => open.destroy())
  )
  const ignore = () => {}
  sent.on("error", ignore)
  sent.on("response", (response) => {
    response.on("error", ignore)
    const lines = createInterface({ input: response })
    lines.on("error", ignore)
    lines.on("line", (line) => {
      if (line.startsWith("data: ")) Queue.offerUnsafe(messages, JSON.parse(line.slice("data: ".length)))
    })
  })
  sent.end()
  return { next: Queue.take(messages), close: Effect.sync(() => sent.destroy()) }
})

const initialized = '{"jsonrpc":"2.0","method":"notifications/initialized"}'

describe("A client of classic MCP", () => {
  it.live("[122] hears that a list has changed while its stream is open, and asks for it only then", () =>
    Effect.gen(function* () {
      const { handler, listenings, next } = yield* changing
      const { authorization, server } = yield* served(handler)
      const { headers, post, reply } = yield* session(server.url, authorization)
      assert.deepStrictEqual(JSON.parse(reply.text).result.capabilities, capabilities)
      yield* post(initialized)
      yield* post(rpc("ping"))
      assert.strictEqual(yield* Queue.size(listenings), 0)
      const stream = yield* streamOf(server.url, headers)
      const listening = yield* next
      assert.deepStrictEqual(listening.filter, { toolsListChanged: true })
      yield* listening.say("notifications/message", { level: "info", data: "not asked for" })
      yield* listening.say("notifications/tools/list_changed", {
        _meta: { "io.modelcontextprotocol/subscriptionId": "x", mine: 1 }
      })
      assert.deepStrictEqual(yield* stream.next, {
        jsonrpc: "2.0",
        method: "notifications/tools/list_changed",
        params: { _meta: { mine: 1 } }
      })
      yield* stream.close
      yield* listening.ended
      // A stream that is opened again listens again.
      yield* streamOf(server.url, headers)
      assert.deepStrictEqual((yield* next).filter, { toolsListChanged: true })
    })
  )

  it.live("subscribes to resources, and hears of them", () =>
    Effect.gen(function* () {
      const { handler, next } = yield* changing
      const { authorization, server } = yield* served(handler)
      const { headers, post } = yield* session(server.url, authorization)
      yield* post(initialized)
      const stream = yield* streamOf(server.url, headers)
      const first = yield* next
      const answer = (body: string) => Effect.map(post(body), ({ text }) => JSON.parse(text))
      assert.deepStrictEqual((yield* answer(rpc("resources/subscribe", { uri: "file:///a" }))).result, {})
      const second = yield* next
      assert.deepStrictEqual(second.filter, { toolsListChanged: true, resourceSubscriptions: ["file:///a"] })
      yield* first.ended
      yield* second.say("notifications/resources/updated", { uri: "file:///a" })
      assert.deepStrictEqual(yield* stream.next, {
        jsonrpc: "2.0",
        method: "notifications/resources/updated",
        params: { uri: "file:///a" }
      })
      const refused = yield* answer(rpc("resources/subscribe", { uri: "refused:" }))
      assert.deepStrictEqual(refused.error, { code: -32_002, message: "Resource not found" })
      // The subscription of before goes on.
      yield* second.say("notifications/resources/updated", { uri: "file:///a", again: true })
      assert.deepStrictEqual(yield* stream.next, {
        jsonrpc: "2.0",
        method: "notifications/resources/updated",
        params: { uri: "file:///a", again: true }
      })
      assert.deepStrictEqual((yield* answer(rpc("resources/unsubscribe", { uri: "file:///a" }))).result, {})
      assert.deepStrictEqual((yield* next).filter, { toolsListChanged: true })
    })
  )

  it.live("keeps what was agreed when it cancels a subscription", () =>
    Effect.gen(function* () {
      const { handler, next } = yield* changing
      const { authorization, server } = yield* served(handler)
      const { headers, post } = yield* session(server.url, authorization)
      yield* post(initialized)
      const stream = yield* streamOf(server.url, headers)
      const first = yield* next
      const waiting = yield* Effect.forkChild(post(rpc("resources/subscribe", { uri: "silent:" }, "s")))
      const unanswered = yield* next
      yield* post('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"s"}}')
      assert.strictEqual(JSON.parse((yield* Fiber.join(waiting)).text).error.code, -32_800)
      yield* unanswered.ended
      yield* first.say("notifications/tools/list_changed")
      assert.deepInclude(yield* stream.next, { method: "notifications/tools/list_changed" })
      yield* post(rpc("resources/subscribe", { uri: "file:///a" }))
      assert.deepStrictEqual((yield* next).filter, { toolsListChanged: true, resourceSubscriptions: ["file:///a"] })
      yield* first.ended
    })
  )

  it.live("learns that a subscription is refused before its stream is open", () =>
    Effect.gen(function* () {
      const { handler, next } = yield* changing
      const { authorization, server } = yield* served(handler)
      const { headers, post } = yield* session(server.url, authorization)
      yield* post(initialized)
      const refused = yield* post(rpc("resources/subscribe", { uri: "refused:" }))
      assert.deepStrictEqual(JSON.parse(refused.text).error, { code: -32_002, message: "Resource not found" })
      assert.deepStrictEqual(
        JSON.parse((yield* post(rpc("resources/subscribe", { uri: "file:///a" }))).text).result,
        {}
      )
      yield* (yield* next).ended
      yield* streamOf(server.url, headers)
      assert.deepStrictEqual((yield* next).filter, { toolsListChanged: true, resourceSubscriptions: ["file:///a"] })
    })
  )

  it.live("gets an error where the server lets nobody subscribe", () =>
    Effect.gen(function* () {
      const { authorization, server } = yield* served(() => Effect.succeed({}))
      const { post } = yield* session(server.url, authorization)
      const { error } = JSON.parse((yield* post(rpc("resources/subscribe", { uri: "file:///a" }))).text)
      assert.strictEqual(error.code, -32_601)
    })
  )

  it.live("hears of changes as a program, too", () =>
    Effect.gen(function* () {
      const { handler, next } = yield* changing
      const { given } = yield* open(handler, agents.stdio)
      const [{ args, command, env }] = JSON.parse(yield* given).mcpServers
      const variables = Object.fromEntries(env.map(({ name, value }: { name: string; value: string }) => [name, value]))
      const program = yield* Effect.acquireRelease(
        Effect.sync(() => spawn(command, args, { env: variables, stdio: "pipe" })),
        (child) => Effect.sync(() => child.kill("SIGKILL"))
      )
      const lines = yield* Queue.unbounded<string>()
      createInterface({ input: program.stdout }).on("line", (line) => Queue.offerUnsafe(lines, line))
      program.stdin.write(`${rpc("initialize", { protocolVersion: "2025-11-25", capabilities: {} })}\n`)
      assert.deepStrictEqual(JSON.parse(yield* Queue.take(lines)).result.capabilities, capabilities)
      program.stdin.write(`${initialized}\n`)
      const listening = yield* next
      yield* listening.say("notifications/tools/list_changed")
      assert.deepStrictEqual(JSON.parse(yield* Queue.take(lines)), {
        jsonrpc: "2.0",
        method: "notifications/tools/list_changed",
        params: {}
      })
      program.stdin.end()
      yield* listening.ended
    })
  )
})
