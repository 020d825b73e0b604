/** A client whose agent is played by hand, with everything that it reports and receives at hand. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as AcpClient from "../src/AcpClient.ts"
import type * as Acp from "../src/AcpSchema.ts"
import * as OtherSide from "./OtherSide.ts"
import { notification, result } from "./OtherSide.ts"

export const clientInfo = { name: "test", version: "0" }
export const start = <A, E>(effect: Effect.Effect<A, E>) => Effect.forkChild(effect, { startImmediately: true })
export const text = (words: string): Acp.ContentBlock => ({ type: "text", text: words })
export const session = { cwd: "/project", mcpServers: [] }
export const update = (sessionId: unknown, value: unknown) =>
  notification("session/update", { sessionId, update: value })

/** What an agent advertises that offers all there is. */
export const everything: Acp.AgentCapabilities = {
  loadSession: true,
  promptCapabilities: { image: true, audio: true, embeddedContext: true },
  mcpCapabilities: { http: true, sse: true, acp: true },
  auth: { logout: {}, status: {} },
  providers: {},
  sessionCapabilities: {
    additionalDirectories: {},
    archive: {},
    close: {},
    delete: {},
    fork: {},
    list: {},
    resume: {},
    status: {},
    systemPrompt: { mode: { override: {} } },
    title: {}
  }
}

export const connect = Effect.fnUntraced(function* (handlers: Partial<AcpClient.Handlers> = {}) {
  const other = yield* OtherSide.make
  const issues = yield* Queue.unbounded<AcpClient.Issue>()
  const updates = yield* Queue.unbounded<AcpClient.IncomingUpdate>()
  const client = yield* AcpClient.make(other.transport, {
    onUpdates: (batch) => Effect.asVoid(Queue.offerAll(updates, batch)),
    requestPermission: () => Effect.succeed({ outcome: { outcome: "cancelled" } }),
    onIssue: (issue) => Queue.offerUnsafe(issues, issue),
    ...handlers
  })
  /** Lets the agent answer `initialize`. */
  const initialize = Effect.fnUntraced(function* (response: unknown, options?: Partial<AcpClient.InitializeOptions>) {
    const fiber = yield* start(client.initialize({ clientInfo, ...options }))
    const message = yield* other.next
    yield* other.send(result(message.id, response))
    return { message, response: yield* Fiber.join(fiber) }
  })
  /** Lets the agent answer a request of ours. */
  const answered = Effect.fnUntraced(function* <A, E>(call: Effect.Effect<A, E>, answer: unknown) {
    const fiber = yield* start(call)
    const message = yield* other.next
    yield* other.send(result(message.id, answer))
    return { message, value: yield* Fiber.join(fiber) }
  })
  /** Lets the agent answer a request of ours with an error, and gives what the caller gets. */
  const failed = Effect.fnUntraced(function* <A, E>(call: Effect.Effect<A, E>, code: number, data?: unknown) {
    const fiber = yield* start(Effect.exit(call))
    const { id } = yield* other.next
    yield* other.send({ jsonrpc: "2.0", id, error: { code, message: "no", ...(data !== undefined && { data }) } })
    return yield* Fiber.join(fiber)
  })
  return { client, other, issues, updates, initialize, answered, failed }
})

/** A client that has initialized with an agent which offers everything. */
export const connected = Effect.fnUntraced(function* (handlers: Partial<AcpClient.Handlers> = {}) {
  const side = yield* connect(handlers)
  yield* side.initialize({ protocolVersion: 1, agentCapabilities: everything })
  return side
})
