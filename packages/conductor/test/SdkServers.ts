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

/**
 * Starts the program, and returns what answers calls by it. It is killed when the scope closes. Calls fail with its last
 * words when it ends by itself.
 */
export const start = Effect.fnUntraced(function* (kind: "classic" | "current") {
  const program = yield* Effect.acquireRelease(
    Effect.sync(() => spawn(process.execPath, [file, kind], { stdio: "pipe" })),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )
  const waiting = new Map<number, Waiting>()
  let last = 0
  let words = ""
  let ended: RpcError | undefined
  program.stderr.on("data", (part) => (words += String(part)))
  // A write to a program that has ended fails. Its end is reported below.
  program.stdin.on("error", () => {})
  program.on("close", (code, signal) => {
    ended = new RpcError({ code: -32_603, message: `The ${kind} SDK server ended with ${code ?? signal}: ${words}` })
    for (const { resume } of waiting.values()) resume(Effect.fail(ended))
    waiting.clear()
  })
  const write = (message: object) => void program.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)

  const request = (method: string, params: object, call?: McpCall) =>
    Effect.callback<McpOverAcp.JsonObject, RpcError>((resume) => {
      if (ended !== undefined) return resume(Effect.fail(ended))
      last += 1
      const id = last
      waiting.set(id, { call, resume })
      write({ id, method, params })
      return Effect.sync(() => {
        waiting.delete(id)
        write({ method: "notifications/cancelled", params: { requestId: id } })
      })
    })

  /** Calls of `subscriptions/listen` that wait for changes of a classic server. */
  const listening = new Set<McpCall>()
  const subscription = McpOverAcp.MetaKey.subscriptionId
  const notify = (call: McpCall | undefined, method: string, params: McpOverAcp.JsonObject) =>
    void (call && Effect.runFork(call.notify(method, params)))

  /** Finds the call that a notification is about, and names it as the caller does. */
  const heard = (method: string, params: McpOverAcp.JsonObject) => {
    if (kind === "classic" && method.endsWith("list_changed"))
      return listening.forEach((call) => notify(call, method, { _meta: { [subscription]: call.requestId } }))
    const meta = McpOverAcp.objectOf(params["_meta"])
    const listener = [...waiting].find(([id]) => id === meta[subscription])?.[1].call
    if (listener !== undefined)
      return notify(listener, method, { ...params, _meta: { ...meta, [subscription]: listener.requestId } })
    const { progressToken } = params
    const about = [...waiting.values()].find(
      ({ call }) => McpOverAcp.objectOf(call?.params["_meta"])["progressToken"] === progressToken
    )
    notify(about?.call, method, params)
  }

  createInterface({ input: program.stdout }).on("line", (line) => {
    const { error, id, method, params, result } = JSON.parse(line)
    if (typeof method === "string") return heard(method, McpOverAcp.objectOf(params))
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
  const listen = (call: McpCall) =>
    call
      .notify("notifications/subscriptions/acknowledged", {
        notifications: call.params["notifications"],
        _meta: { [subscription]: call.requestId }
      })
      .pipe(
        Effect.andThen(Effect.sync(() => listening.add(call))),
        Effect.andThen(Effect.never),
        Effect.ensuring(Effect.sync(() => listening.delete(call)))
      )
  const handler: McpHandler = (call) => {
    if (call.method === "server/discover") return Effect.succeed(discovered(initialized))
    if (call.method === "subscriptions/listen") return listen(call)
    return Effect.map(request(call.method, call.params, call), (result) => ({ ...complete, ...result }))
  }
  return handler
})
