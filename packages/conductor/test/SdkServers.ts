/** MCP servers on the official SDKs, as programs behind a component: each `mcp/message` becomes one request on their standard streams. */
import { RpcError } from "@signalbox/acp/JsonRpc"
import * as McpOverAcp from "@signalbox/acp/McpOverAcp"
import type { McpCall, McpHandler } from "@signalbox/acp/McpProvider"
import * as Effect from "effect/Effect"
import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

const file = fileURLToPath(new URL("./fixtures/sdk-mcp-server.mjs", import.meta.url))

/** What waits for an answer of the program. */
interface Waiting {
  readonly call: McpCall | undefined
  readonly resume: (outcome: Effect.Effect<McpOverAcp.JsonObject, RpcError>) => void
}

/** What MCP 2026-07-28 wants in a result, and earlier revisions do not know. */
const complete = { resultType: "complete", ttlMs: 0, cacheScope: "private" }

/** What a classic server has said when it was initialized, as an answer to `server/discover`. */
const discovered = ({ capabilities, instructions, serverInfo }: McpOverAcp.JsonObject) => ({
  ...complete,
  supportedVersions: [McpOverAcp.revision],
  capabilities,
  instructions,
  _meta: { [McpOverAcp.MetaKey.serverInfo]: serverInfo }
})

/** Starts the program, and returns what answers calls by it. It is killed when the scope closes. */
export const start = Effect.fnUntraced(function* (kind: "classic" | "current") {
  const program = yield* Effect.acquireRelease(
    Effect.sync(() => spawn(process.execPath, [file, kind], { stdio: ["pipe", "pipe", "inherit"] })),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )
  const waiting = new Map<number, Waiting>()
  let last = 0
  const write = (message: object) => void program.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)

  const request = (method: string, params: object, call?: McpCall) =>
    Effect.callback<McpOverAcp.JsonObject, RpcError>((resume) => {
      last += 1
      const id = last
      waiting.set(id, { call, resume })
      write({ id, method, params })
      return Effect.sync(() => {
        waiting.delete(id)
        write({ method: "notifications/cancelled", params: { requestId: id } })
      })
    })

  createInterface({ input: program.stdout }).on("line", (line) => {
    const { error, id, method, params, result } = JSON.parse(line)
    if (typeof method === "string") {
      const about = [...waiting.values()].find(
        ({ call }) => McpOverAcp.objectOf(call?.params["_meta"])["progressToken"] === params.progressToken
      )
      return void (about?.call && Effect.runFork(about.call.notify(method, params)))
    }
    const asked = waiting.get(id)
    waiting.delete(id)
    asked?.resume(error === undefined ? Effect.succeed(result) : Effect.fail(new RpcError(error)))
  })

  if (kind === "current") {
    const handler: McpHandler = (call) => request(call.method, call.params, call)
    return handler
  }
  const client = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "component", version: "1" } }
  const initialized = yield* request("initialize", client)
  write({ method: "notifications/initialized" })
  const handler: McpHandler = (call) =>
    call.method === "server/discover"
      ? Effect.succeed(discovered(initialized))
      : Effect.map(request(call.method, call.params, call), (result) => ({ ...complete, ...result }))
  return handler
})
