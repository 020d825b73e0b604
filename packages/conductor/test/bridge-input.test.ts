/** Questions of a server to its client: sampling, forms and folders, as a client of classic MCP gets them. */
import { assert, describe, it } from "@effect/vitest"
import { RpcError } from "@signalbox/acp/JsonRpc"
import type { McpHandler } from "@signalbox/acp/McpProvider"
import * as Effect from "effect/Effect"
import { agents, open, program, rpc } from "./BridgeParts.ts"

const sampling = { method: "sampling/createMessage", params: { messages: [], maxTokens: 1e21 } }

/** A server that asks this at each attempt, until it has all answers. Then it answers with what it was sent. */
const asking =
  (inputRequests: object, requestState?: string): McpHandler =>
  ({ method, params: { _meta, ...params } }) =>
    Effect.succeed(
      method === "server/discover" || "inputResponses" in params
        ? { capabilities: {}, params }
        : { resultType: "input_required", inputRequests, requestState }
    )

/** A session of a program with this server. */
const begin = Effect.fnUntraced(function* (handler: McpHandler, capabilities: object = { sampling: {} }) {
  const { given } = yield* open(handler, agents.stdio)
  const { next, say } = yield* program(JSON.parse(yield* given).mcpServers[0])
  yield* say(rpc("initialize", { protocolVersion: "2025-06-18", capabilities }))
  yield* next
  return { next, say }
})

const answer = (id: unknown, rest: object) => JSON.stringify({ jsonrpc: "2.0", id, ...rest })

describe("A client of classic MCP whose server needs input", () => {
  it.live("[122] is asked, and the server gets its answers with the same request again", () =>
    Effect.gen(function* () {
      const { next, say } = yield* begin(asking({ one: sampling, two: sampling }, "state"))
      yield* say(rpc("tools/call", { name: "x" }, "call"))
      const [first, second] = [yield* next, yield* next]
      assert.deepInclude(first, sampling)
      assert.deepInclude(second, sampling)
      assert.notStrictEqual(first["id"], second["id"])
      yield* say(answer(second["id"], { result: { n: 2 } }))
      yield* say('{"jsonrpc":"2.0","id":"unknown","result":{}}')
      yield* say(answer(first["id"], { result: { n: 1 } }))
      yield* say(answer(first["id"], { result: { n: "twice" } }))
      assert.deepInclude(yield* next, {
        id: "call",
        result: {
          capabilities: {},
          params: { name: "x", inputResponses: { one: { n: 1 }, two: { n: 2 } }, requestState: "state" }
        }
      })
    })
  )

  it.live("gets an error of its request where it does not answer, or has not said that it can", () =>
    Effect.gen(function* () {
      const { next, say } = yield* begin(asking({ one: sampling }))
      yield* say(rpc("tools/call"))
      yield* say(answer((yield* next)["id"], { error: { code: -1, message: "Not now" } }))
      const refused = { code: -1, message: "The server asks for sampling/createMessage. Not now" }
      assert.deepInclude(yield* next, { id: 1, error: refused })
      yield* say(rpc("tools/call"))
      yield* say(answer((yield* next)["id"], { error: "odd" }))
      assert.deepInclude((yield* next)["error"], { code: -32_603 })
      yield* say(rpc("tools/call"))
      yield* say(answer((yield* next)["id"], { result: { text: "x".repeat(1024 * 1024) } }))
      assert.include(JSON.stringify((yield* next)["error"]), "The response is too long")
      for (const method of ["elicitation/create", "roots/list", "tools/call", undefined]) {
        const other = yield* begin(asking({ one: { method } }))
        yield* other.say(rpc("tools/call"))
        const { error } = yield* other.next
        assert.deepInclude(error, { code: -32_601 })
        assert.include(JSON.stringify(error), `The server asks for ${method}.`)
      }
    })
  )

  it.live("is asked no more when its request is cancelled", () =>
    Effect.gen(function* () {
      const { next, say } = yield* begin(asking({ one: sampling }))
      yield* say(rpc("tools/call", {}, "call"))
      const { id } = yield* next
      yield* say('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"call"}}')
      const said = [yield* next, yield* next]
      assert.deepInclude(said, { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } })
      assert.deepInclude(said, {
        jsonrpc: "2.0",
        id: "call",
        error: { code: -32_800, message: "Request cancelled" }
      })
    })
  )

  it.live("gets an error where the server asks for ever, or for nothing", () =>
    Effect.gen(function* () {
      const endless = yield* begin(() =>
        Effect.succeed({ resultType: "input_required", inputRequests: { s: sampling } })
      )
      yield* endless.say(rpc("tools/call"))
      for (let round = 0; round < 10; round++) yield* endless.say(answer((yield* endless.next)["id"], { result: {} }))
      assert.deepInclude(yield* endless.next, {
        error: { code: -32_603, message: "The server still asks for input after 10 rounds" }
      })
      const nothing = yield* begin(() => Effect.succeed({ resultType: "input_required" }))
      yield* nothing.say(rpc("tools/call"))
      assert.deepInclude((yield* nothing.next)["error"], { code: -32_603 })
    })
  )

  it.live("gets the server's error in a later round, and what it says there", () =>
    Effect.gen(function* () {
      const { next, say } = yield* begin(({ notify, params }) =>
        "requestState" in params
          ? Effect.andThen(
              notify("notifications/progress", { progress: 1 }),
              Effect.fail(new RpcError({ code: -32_602, message: "Wrong" }))
            )
          : Effect.succeed({ resultType: "input_required", requestState: "again" })
      )
      yield* say(rpc("tools/call"))
      assert.deepInclude(yield* next, { method: "notifications/progress" })
      assert.deepInclude(yield* next, { error: { code: -32_602, message: "Wrong" } })
    })
  )
})
