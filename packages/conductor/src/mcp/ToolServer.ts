/** An MCP server on `effect/ai`, as the handler of a server over ACP. */
import { ErrorCode, RpcError } from "@signalbox/acp/JsonRpc"
import * as McpOverAcp from "@signalbox/acp/McpOverAcp"
import type { McpCall, McpHandler } from "@signalbox/acp/McpProvider"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as McpProtocol from "effect/ai/McpProtocol"
import * as McpServer from "effect/ai/McpServer"
import type * as RpcMessage from "effect/rpc/RpcMessage"
import * as RpcSerialization from "effect/rpc/RpcSerialization"
import * as RpcServer from "effect/rpc/RpcServer"

export interface Options<RA, RE, RR> {
  readonly name: string
  readonly version: string
  /** Says to a model what the server is good for. */
  readonly instructions?: string | undefined
  /** The tools, resources and prompts: `McpServer.toolkit` and its neighbours. */
  readonly registrations: Layer.Layer<RA, RE, RR>
}

/** A call that is under way. To the server each is a client of its own. */
interface Running {
  readonly call: McpCall
  readonly answered: Deferred.Deferred<unknown, RpcError>
}

const serialization = RpcSerialization.jsonRpc()

/** Most characters of an error. Arguments that are wrong in a thousand places have a line for each. */
const longestError = 64 * 1024

/** The result of a tool that failed, with texts that have a bound. */
const bounded = (result: unknown): unknown => {
  const { content, isError } = McpOverAcp.objectOf(result)
  if (isError !== true || !Array.isArray(content)) return result
  const parts = content.map((part: unknown) => {
    const { text } = McpOverAcp.objectOf(part)
    return typeof text === "string" && text.length > longestError
      ? { ...McpOverAcp.objectOf(part), text: cut(text) }
      : part
  })
  return { ...McpOverAcp.objectOf(result), content: parts }
}

const cut = (message: string): string =>
  message.length <= longestError ? message : `${message.slice(0, longestError)}… (and more)`

const rpcError = (error: unknown): RpcError => {
  const { code, data, message } = McpOverAcp.objectOf(error)
  return new RpcError({
    code: typeof code === "number" ? code : ErrorCode.InternalError,
    message: typeof message === "string" ? cut(message) : "The MCP server answered with a malformed error",
    ...(data === undefined ? {} : { data })
  })
}

/** Runs a server until the scope closes, and returns what answers its calls. */
export const make = Effect.fnUntraced(function* <RA, RE, RR>(options: Options<RA, RE, RR>) {
  const running = new Map<number, Running>()
  const disconnects = yield* Queue.unbounded<number>()
  const parser = serialization.makeUnsafe()
  let lastClient = 0
  let write: ((client: number, message: RpcMessage.FromClientEncoded) => Effect.Effect<void>) | undefined

  const say = (client: number, message: RpcMessage.FromClientEncoded): Effect.Effect<void> =>
    Effect.suspend(() => write?.(client, message) ?? Effect.void)

  const hear = (client: number, text: string): Effect.Effect<void> =>
    Effect.suspend(() => {
      const message: unknown = JSON.parse(text)
      const found = running.get(client)
      if (found === undefined || !McpOverAcp.isJsonObject(message)) return Effect.void
      const { error, method, params, result } = message
      if (typeof method === "string") return found.call.notify(method, McpOverAcp.objectOf(params))
      return Deferred.completeWith(
        found.answered,
        error === undefined ? Effect.succeed(bounded(result)) : Effect.fail(rpcError(error))
      )
    })

  const protocol = RpcServer.Protocol.make((writeRequest) =>
    Effect.sync(() => {
      write = writeRequest
      return {
        disconnects,
        send: (client, response) => {
          const text = parser.encode(response)
          return typeof text === "string" ? hear(client, text) : Effect.void
        },
        end: () => Effect.void,
        clientIds: Effect.sync(() => new Set(running.keys())),
        initialMessage: Effect.succeedNone,
        supportsAck: false,
        supportsTransferables: false,
        supportsSpanPropagation: false,
        supportsNotifications: true,
        codecFor: serialization.codecFor
      }
    })
  )
  // A tool of one server may make another one. What was built for the first must not be a part of it: each has its own tools.
  const built = yield* Layer.makeMemoMap
  yield* Layer.buildWithMemoMap(
    McpServer.layer({ ...options, protocols: [McpProtocol.v2026_07_28] }).pipe(
      Layer.provide(Layer.effect(RpcServer.Protocol, protocol))
    ),
    built,
    yield* Effect.scope
  )

  const handler: McpHandler = (call) =>
    Effect.suspend(() => {
      lastClient += 1
      const client = lastClient
      const answered = Deferred.makeUnsafe<unknown, RpcError>()
      running.set(client, { call, answered })
      // Each client has one request only. What the server says of it names this id.
      const { method, params, requestId: id } = call
      return say(client, { _tag: "Request", id, tag: method, payload: params, headers: [] }).pipe(
        Effect.andThen(Deferred.await(answered)),
        Effect.onInterrupt(() => say(client, { _tag: "Interrupt", requestId: id })),
        Effect.ensuring(
          Effect.suspend(() => {
            running.delete(client)
            return Queue.offer(disconnects, client)
          })
        )
      )
    })
  return handler
})
