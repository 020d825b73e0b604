/** Version 2 over HTTP and a WebSocket, against an agent on the official SDK, as a real child process. */
import { fileURLToPath } from "node:url"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as NodeWS from "@effect/platform-node/NodeWS"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ChildProcess from "effect/process/ChildProcess"
import * as ChildProcessSpawner from "effect/process/ChildProcessSpawner"
import * as Stream from "effect/Stream"
import * as AcpClient from "../src/AcpClient.ts"
import * as HttpTransport from "../src/HttpTransport.ts"
import * as WebSocketTransport from "../src/WebSocketTransport.ts"
import { dialect } from "../src/DialectV2.ts"

const script = fileURLToPath(new URL("fixtures/sdk-v2-agent.mjs", import.meta.url))

/** The agent as a server of its own; where it is. */
const serve = Effect.gen(function* () {
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  const child = yield* spawner.spawn(
    ChildProcess.make(process.execPath, [script, "http"], { stderr: "inherit", forceKillAfter: "1 second" })
  )
  const [port] = yield* child.stdout.pipe(Stream.decodeText, Stream.splitLines, Stream.take(1), Stream.runCollect)
  return `127.0.0.1:${port}/acp`
})

const transports = [
  {
    name: "HTTP",
    connect: Effect.gen(function* () {
      const url = `http://${yield* serve}`
      return yield* Effect.provide(HttpTransport.make({ url }), yield* Layer.build(NodeHttpClient.layerUndici))
    })
  },
  {
    name: "a WebSocket",
    connect: Effect.gen(function* () {
      const url = `ws://${yield* serve}`
      return yield* Effect.provide(WebSocketTransport.make({ url }), NodeWS.layerWebSocketConstructor)
    })
  }
]

describe.each(transports)("[124] version 2 over $name", ({ connect }) => {
  it.live("turns, permissions and histories are as over a pipe", () =>
    Effect.gen(function* () {
      const texts: Array<string> = []
      const issues: Array<AcpClient.Issue> = []
      const client = yield* AcpClient.make(
        yield* connect,
        {
          onUpdates: (batch) =>
            Effect.sync(() => {
              for (const incoming of batch) {
                if (incoming._tag !== "Known" || incoming.update.sessionUpdate !== "agent_message_chunk") continue
                if (incoming.update.content.type === "text") texts.push(incoming.update.content.text)
              }
            }),
          requestPermission: () => Effect.succeed({ outcome: { outcome: "selected", optionId: "yes" } }),
          onIssue: (issue) => issues.push(issue)
        },
        { dialect }
      )
      yield* client.initialize({ clientInfo: { name: "test", version: "0" } })
      const where = { cwd: "/", mcpServers: [] }
      const { sessionId } = yield* client.newSession(where)
      const prompt = (text: string) => client.prompt({ sessionId, prompt: [{ type: "text", text }] })
      const { stopReason } = yield* prompt("flood")
      assert.strictEqual(stopReason, "end_turn")
      assert.deepStrictEqual(
        texts.splice(0),
        Array.from({ length: 2000 }, (_, i) => String(i))
      )
      yield* prompt("permissions")
      assert.deepStrictEqual(texts.splice(0), ['["yes","yes","yes"]'])
      yield* client.loadSession({ sessionId, ...where })
      assert.deepStrictEqual(
        texts,
        Array.from({ length: 500 }, (_, i) => `history ${i} `)
      )
      assert.deepStrictEqual(issues, [])
    }).pipe(Effect.provide(NodeServices.layer))
  )
})
