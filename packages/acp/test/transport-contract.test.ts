/** Our client against an agent built on the official SDK, as a real child process: the same over every transport. */
import { fileURLToPath } from "node:url"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as NodeWS from "@effect/platform-node/NodeWS"
import * as Undici from "@effect/platform-node/Undici"
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as ChildProcess from "effect/process/ChildProcess"
import * as ChildProcessSpawner from "effect/process/ChildProcessSpawner"
import * as AcpClient from "../src/AcpClient.ts"
import type * as Acp from "../src/AcpSchema.ts"
import { ErrorCode, RpcError } from "../src/JsonRpc.ts"
import type { Transport } from "../src/Transport.ts"
import * as HttpTransport from "../src/HttpTransport.ts"
import * as WebSocketTransport from "../src/WebSocketTransport.ts"

const script = fileURLToPath(new URL("fixtures/sdk-agent.mjs", import.meta.url))

const spawn = Effect.fnUntraced(function* (...args: ReadonlyArray<string>) {
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  return yield* spawner.spawn(
    ChildProcess.make(process.execPath, ["--no-warnings", script, ...args], {
      stderr: "inherit",
      forceKillAfter: "1 second"
    })
  )
})

/** The agent as a server of its own; its port. */
const serve = Effect.fnUntraced(function* (protocol: "http" | "http2") {
  const child = yield* spawn(protocol)
  const [port] = yield* child.stdout.pipe(Stream.decodeText, Stream.splitLines, Stream.take(1), Stream.runCollect)
  return `127.0.0.1:${port}/acp`
})

/** Over TLS both sides agree on HTTP/2 by themselves; in the clear it has to be known. */
// oxlint-disable-next-line import/namespace -- the rule does not follow a re-export of CommonJS.
const http2 = (origin: string | URL) => new Undici.H2CClient(origin, { pipelining: 100 })

type Connect = Effect.Effect<Transport, unknown, ChildProcessSpawner.ChildProcessSpawner | Scope.Scope>

/** The client of HTTP lives as long as the connection. */
const overHttp = (protocol: "http" | "http2", client: Layer.Layer<HttpClient.HttpClient>): Connect =>
  Effect.gen(function* () {
    const at = yield* serve(protocol)
    return yield* Effect.provide(HttpTransport.make({ url: `http://${at}` }), yield* Layer.build(client))
  })

const transports: ReadonlyArray<{ readonly name: string; readonly connect: Connect }> = [
  { name: "stdio", connect: Effect.map(spawn(), (child) => ({ input: child.stdout, output: child.stdin })) },
  {
    name: "HTTP/1.1",
    connect: overHttp("http", NodeHttpClient.layerUndici)
  },
  {
    name: "HTTP/2",
    connect: overHttp("http2", NodeHttpClient.layerUndiciOptions({ factory: http2 }))
  },
  {
    name: "WebSocket",
    connect: Effect.flatMap(serve("http"), (at) => WebSocketTransport.make({ url: `ws://${at}` })).pipe(
      Effect.provide(NodeWS.layerWebSocketConstructor)
    )
  }
]

const connectOver = Effect.fnUntraced(function* (transport: Connect, handlers: Partial<AcpClient.Handlers> = {}) {
  const texts: Array<string> = []
  const issues: Array<AcpClient.Issue> = []
  const client = yield* AcpClient.make(yield* transport, {
    onUpdates: (batch) =>
      Effect.sync(() => {
        for (const incoming of batch) {
          if (incoming._tag !== "Known" || incoming.update.sessionUpdate !== "agent_message_chunk") continue
          if (incoming.update.content.type === "text") texts.push(incoming.update.content.text)
        }
      }),
    requestPermission: () => Effect.succeed({ outcome: { outcome: "selected", optionId: "yes" } }),
    onIssue: (issue) => issues.push(issue),
    ...handlers
  })
  yield* client.initialize({ clientInfo: { name: "test", version: "0" } })
  const { sessionId } = yield* client.newSession({ cwd: "/", mcpServers: [] })
  const prompt = (text: string) => client.prompt({ sessionId, prompt: [{ type: "text", text }] })
  return { client, texts, issues, sessionId, prompt }
})

describe.each(transports)("[124] AcpClient with an agent on the official SDK over $name", (transport) => {
  const connect = (handlers?: Partial<AcpClient.Handlers>) => connectOver(transport.connect, handlers)

  it.live("streams a turn and has all of it before the turn ends", () =>
    Effect.gen(function* () {
      const { issues, prompt, texts } = yield* connect()
      assert.deepStrictEqual(yield* prompt("flood"), { stopReason: "end_turn" })
      assert.deepStrictEqual(
        texts,
        Array.from({ length: 2000 }, (_, i) => String(i))
      )
      assert.deepStrictEqual(issues, [])
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.live("answers permissions, files and terminals", () =>
    Effect.gen(function* () {
      const written: Array<Acp.WriteTextFileRequest> = []
      const { prompt, texts } = yield* connect({
        readTextFile: ({ limit, line, path }) =>
          path === "/a.txt"
            ? Effect.succeed({ content: `a ${line} ${limit}` })
            : Effect.fail(new RpcError({ code: ErrorCode.ResourceNotFound, message: "No such file" })),
        writeTextFile: (params) => Effect.sync(() => written.push(params)).pipe(Effect.as({})),
        terminal: {
          create: ({ args, command }) => Effect.succeed({ terminalId: `${command} ${args?.join(" ")}` }),
          output: ({ terminalId }) => Effect.succeed({ output: terminalId, truncated: false }),
          waitForExit: () => Effect.succeed({ exitCode: 0 }),
          kill: () => Effect.succeed({}),
          release: () => Effect.succeed({})
        }
      })
      yield* prompt("permission")
      yield* prompt("file")
      yield* prompt("terminal")
      assert.deepStrictEqual(texts, ['{"outcome":"selected","optionId":"yes"}', "-32002", "0 ls -l"])
      assert.deepStrictEqual(
        written.map(({ content, path }) => [path, content]),
        [["/b.txt", "A 1 2"]]
      )
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.live("loads a session: the history is in before the result, which is null", () =>
    Effect.gen(function* () {
      const { client, sessionId, texts } = yield* connect()
      assert.deepStrictEqual(yield* client.loadSession({ sessionId, cwd: "/", mcpServers: [] }), {})
      assert.deepStrictEqual(
        texts,
        Array.from({ length: 500 }, (_, i) => `history ${i}`)
      )
      assert.strictEqual((yield* client.listSessions({})).nextCursor, "next")
      assert.deepStrictEqual(yield* client.listSessions({ cursor: "next" }), {
        sessions: [{ sessionId: "s2", cwd: "/two" }]
      })
      assert.deepStrictEqual(yield* client.setMode({ sessionId, modeId: "code" }), {})
      assert.deepStrictEqual(yield* client.closeSession({ sessionId }), {})
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.live("cancels a turn, gets errors typed, and tells a crash from an answer", () =>
    Effect.gen(function* () {
      const { client, prompt, sessionId } = yield* connect()
      const auth = yield* Effect.flip(client.newSession({ cwd: "/forbidden", mcpServers: [] }))
      assert.deepInclude(auth, { _tag: "RpcError", code: ErrorCode.AuthRequired })
      const unknown = yield* Effect.flip(prompt("unknown"))
      assert.strictEqual(unknown._tag, "RpcError")
      const turn = yield* Effect.forkChild(prompt("wait"), { startImmediately: true })
      yield* client.cancel({ sessionId })
      assert.deepStrictEqual(yield* Fiber.join(turn), { stopReason: "cancelled" })
      const crash = yield* Effect.flip(prompt("crash"))
      assert.strictEqual(crash._tag, "ConnectionClosed")
      assert.strictEqual((yield* client.closed)._tag, "ConnectionClosed")
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.live("a permission that waits keeps neither reading nor other requests", () =>
    Effect.gen(function* () {
      const asked = yield* Deferred.make<void>()
      const decided = yield* Deferred.make<void>()
      const { client, prompt } = yield* connect({
        requestPermission: () =>
          Effect.gen(function* () {
            yield* Deferred.succeed(asked, undefined)
            yield* Deferred.await(decided)
            return { outcome: { outcome: "cancelled" } }
          })
      })
      const turn = yield* Effect.forkChild(prompt("permission"), { startImmediately: true })
      yield* Deferred.await(asked)
      assert.strictEqual((yield* client.listSessions({})).sessions.length, 1)
      yield* Deferred.succeed(decided, undefined)
      assert.deepStrictEqual(yield* Fiber.join(turn), { stopReason: "end_turn" })
    }).pipe(Effect.provide(NodeServices.layer))
  )
})
