/** A chain with a bridge, and the agent's side of it by hand: what the agent was given, and requests over HTTP. */
import type * as McpOverAcp from "@signalbox/acp/McpOverAcp"
import type { McpHandler } from "@signalbox/acp/McpProvider"
import type * as RawConnection from "@signalbox/acp/RawConnection"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Schema from "effect/Schema"
import { spawn } from "node:child_process"
import { request } from "node:http"
import { createInterface } from "node:readline"
import type * as Component from "../src/Component.ts"
import { bridge, serving } from "./McpParts.ts"
import { byHand, connect, initialize } from "./Parts.ts"

/** An MCP server as the agent was given it. */
export interface Given {
  readonly [name: string]: unknown
  readonly name: string
  readonly url: string
  readonly headers: ReadonlyArray<{ readonly name: string; readonly value: string }>
}

/** Answers of agents to `initialize`. */
export const agents = {
  http: '{"protocolVersion":1,"agentCapabilities":{"mcpCapabilities":{"http":true}}}',
  stdio: '{"protocolVersion":1}',
  acp: '{"protocolVersion":1,"agentCapabilities":{"mcpCapabilities":{"acp":true,"http":true}}}',
  http2:
    '{"protocolVersion":2,"authMethods":[{"type":"agent","methodId":"x","name":"X"}],"capabilities":{"session":{"mcp":{"http":{}}}}}',
  stdio2: '{"protocolVersion":2,"capabilities":{"session":{"mcp":{"stdio":{}}}}}',
  none2: '{"protocolVersion":2,"capabilities":{"session":{}}}'
} as const

/** A session behind a bridge, with one server. The agent is asked by what `ask` sends. */
export const open = Effect.fnUntraced(function* (
  handler: McpHandler,
  capabilities: string = agents.http,
  params = '{"cwd":"/","mcpServers":[]}'
) {
  const given = yield* Deferred.make<string>()
  const ready = yield* Deferred.make<RawConnection.RawConnection>()
  const agent = byHand("agent", (connection) => {
    Deferred.doneUnsafe(ready, Effect.succeed(connection))
    return {
      onRequest: ({ method, params: text = "null" }, respond) => {
        if (method === "initialize") return respond({ result: capabilities })
        if (method === "session/new") Deferred.doneUnsafe(given, Effect.succeed(text))
        respond({ result: method === "session/new" ? '{"sessionId":"s"}' : "{}" })
      },
      onNotification: () => {}
    }
  })
  const client = yield* connect({
    assemble: () => Effect.succeed({ agent, proxies: [serving("t", handler), bridge] })
  })
  const initialized = yield* initialize(client)
  const begun = yield* client.request("session/new", params)
  return { client, initialized, begun, given: Deferred.await(given), agent: yield* Deferred.await(ready) }
})

/** A session of an agent that takes HTTP, and its only server. */
export const served = Effect.fnUntraced(function* (handler: McpHandler, capabilities?: string) {
  const opened = yield* open(handler, capabilities)
  const { mcpServers } = JSON.parse(yield* opened.given)
  const server: Given = mcpServers[0]
  return { ...opened, server, authorization: server.headers[0]?.value ?? "" }
})

/** Answers a request of MCP over ACP. Parameters are text. Returns how to cancel it. */
export type AnswerByHand = (
  method: string,
  params: string,
  respond: RawConnection.Respond,
  connection: RawConnection.RawConnection
) => (() => void) | void

/**
 * A proxy by hand that declares one server in each session, and passes all else on.
 *
 * @param answer gets what is asked by methods that begin with `mcp/` or `_mcp/`
 * @param hear gets notifications of such methods
 */
export const serverByHand = (
  name: string,
  answer: AnswerByHand,
  hear: (method: string, params: string) => void = () => {},
  server: object = { type: "acp", name: "o", serverId: "older one" }
): Component.Component =>
  byHand(name, (connection) => ({
    onRequest: ({ method, params = "null", side }, respond) => {
      if (side === "agent" && /^_?mcp\//.test(method)) return answer(method, params, respond, connection)
      const declared = { cwd: "/", mcpServers: [server] }
      return connection.request(
        {
          side: side === "client" ? "agent" : "client",
          method: method === "proxy/initialize" ? "initialize" : method,
          params: method === "session/new" ? JSON.stringify(declared) : params
        },
        (settled) => respond("closed" in settled ? { error: '{"code":-32603,"message":"over"}' } : settled)
      ).cancel
    },
    onNotification: ({ method, params = "null", side }) => {
      if (side === "agent" && /^_?mcp\//.test(method)) hear(method, params)
    }
  }))

/** The last server that an agent gets behind these proxies, of which the last one is a bridge. */
export const given = Effect.fnUntraced(function* (
  proxies: ReadonlyArray<Component.Component>,
  capabilities: string = agents.http
) {
  const opened = yield* Deferred.make<string>()
  const agent = byHand("agent", () => ({
    onRequest: ({ method, params = "null" }, respond) => {
      if (method === "initialize") return respond({ result: capabilities })
      if (method === "session/new") Deferred.doneUnsafe(opened, Effect.succeed(params))
      respond({ result: '{"sessionId":"s"}' })
    },
    onNotification: () => {}
  }))
  const client = yield* connect({ assemble: () => Effect.succeed({ agent, proxies }) })
  yield* initialize(client)
  yield* client.request("session/new", '{"cwd":"/","mcpServers":[]}')
  const { mcpServers } = JSON.parse(yield* Deferred.await(opened))
  const server: Given = mcpServers.at(-1)
  return { server, authorization: server.headers?.[0]?.value ?? "" }
})

export interface Asked {
  readonly method?: string
  readonly headers?: { readonly [name: string]: string | undefined }
  readonly body?: string | Buffer
}

export interface Reply {
  readonly status: number
  readonly headers: { readonly [name: string]: unknown }
  readonly text: string
}

const usual = { accept: "application/json, text/event-stream", "content-type": "application/json" }

/** Sends a request as an MCP client does, but for what is said otherwise. Interruption closes its connection. */
export const ask = (url: string, { body, headers = {}, method = "POST" }: Asked): Effect.Effect<Reply> =>
  Effect.callback((resume) => {
    const all = Object.entries({ ...usual, ...headers }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]]
    )
    let isAnswered = false
    const sent = request(url, { method, headers: Object.fromEntries(all), agent: false }, (response) => {
      isAnswered = true
      const parts: Array<Buffer> = []
      response.on("data", (part: Buffer) => parts.push(part))
      const end = () =>
        resume(
          Effect.succeed({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(parts).toString("utf8")
          })
        )
      response.on("end", end)
      response.on("error", end)
    })
    // A body that is refused may end with a connection that is reset; the answer counts.
    sent.on("error", (error) => {
      if (!isAnswered) resume(Effect.succeed({ status: 0, headers: {}, text: String(error) }))
    })
    sent.end(body)
    return Effect.sync(() => sent.destroy())
  })

export const rpc = (method: string, params: object = {}, id: string | number | undefined = 1): string =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params })

/** The messages of an answer, which is JSON or a stream of events. */
export const messagesIn = ({ headers, text }: Reply): ReadonlyArray<{ readonly [name: string]: unknown }> =>
  headers["content-type"] === "text/event-stream"
    ? text
        .split("\n")
        .filter((line) => line.startsWith("data: "))
        .map((line) => JSON.parse(line.slice("data: ".length)))
    : [JSON.parse(text)]

/** Begins a session of classic MCP, and returns what sends its requests. */
export const session = Effect.fnUntraced(function* (url: string, authorization: string, revision = "2025-11-25") {
  const params = {
    protocolVersion: revision,
    capabilities: { roots: {} },
    clientInfo: { name: "classic", version: "1" }
  }
  const reply = yield* ask(url, { headers: { authorization }, body: rpc("initialize", params) })
  const id = String(reply.headers["mcp-session-id"])
  const headers = { authorization, "mcp-session-id": id, "mcp-protocol-version": revision }
  const post = (body: string) => ask(url, { headers, body })
  return { reply, id, headers, post }
})

/** A server that was given as a program, started. It is killed when the scope closes. */
export const program = Effect.fnUntraced(function* (server: Given) {
  const { args, command, env } = Schema.decodeUnknownSync(Program)(server)
  const variables = Object.fromEntries(env.map(({ name, value }) => [name, value]))
  const child = yield* Effect.acquireRelease(
    Effect.sync(() => spawn(command, args, { env: variables, stdio: "pipe" })),
    (running) => Effect.sync(() => running.kill("SIGKILL"))
  )
  const lines = yield* Queue.unbounded<string>()
  createInterface({ input: child.stdout }).on("line", (line) => Queue.offerUnsafe(lines, line))
  return {
    child,
    say: (line: string) => Effect.sync(() => void child.stdin.write(`${line}\n`)),
    next: Effect.map(Queue.take(lines), (line): McpOverAcp.JsonObject => JSON.parse(line))
  }
})

const Program = Schema.Struct({
  command: Schema.String,
  args: Schema.Array(Schema.String),
  env: Schema.Array(Schema.Struct({ name: Schema.String, value: Schema.String }))
})
