/** A server on `effect/ai` that is called over ACP. */
import { assert, describe, it } from "@effect/vitest"
import type { McpCall } from "@signalbox/acp/McpProvider"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { calculator, meta } from "./McpParts.ts"

const call = (method: string, params: object = {}, said: Array<unknown> = []): McpCall => ({
  serverId: "s",
  requestId: "r",
  method,
  params: { ...params, _meta: meta },
  notify: (method, params) => Effect.sync(() => void said.push({ method, params }))
})

describe("A tool server", () => {
  it.effect("[121] says what it has, and answers a call", () =>
    Effect.gen(function* () {
      const handler = yield* calculator(Effect.succeed(""))
      const discovered = yield* handler(call("server/discover"))
      assert.deepInclude(discovered, { supportedVersions: ["2026-07-28"], instructions: "Adds." })
      const { tools } = Object(yield* handler(call("tools/list")))
      assert.deepStrictEqual(
        tools.map(({ name }: { name: string }) => name),
        ["add", "wait"]
      )
      const result = yield* handler(call("tools/call", { name: "add", arguments: { a: 2, b: 3 } }))
      assert.deepInclude(result, { structuredContent: { sum: 5 } })
    })
  )

  it.effect("answers what it does not know with the error of MCP", () =>
    Effect.gen(function* () {
      const handler = yield* calculator(Effect.succeed(""))
      const unknown = yield* Effect.flip(handler(call("nothing/here")))
      assert.strictEqual(unknown.code, -32601)
      const wrong = yield* Effect.flip(handler(call("tools/call", { name: "none" })))
      assert.strictEqual(wrong.code, -32602)
    })
  )

  it.effect("names a subscription as its call is named", () =>
    Effect.gen(function* () {
      const handler = yield* calculator(Effect.succeed(""))
      const heard = yield* Deferred.make<unknown>()
      const listening = yield* Effect.forkChild(
        handler({
          ...call("subscriptions/listen", { notifications: { toolsListChanged: true } }),
          notify: (method, params) => Effect.asVoid(Deferred.succeed(heard, { method, params }))
        })
      )
      assert.deepStrictEqual(yield* Deferred.await(heard), {
        method: "notifications/subscriptions/acknowledged",
        params: {
          notifications: { toolsListChanged: true },
          _meta: { "io.modelcontextprotocol/subscriptionId": "r" }
        }
      })
      yield* Fiber.interrupt(listening)
    })
  )

  it.live("stops the tool whose call is interrupted, and no other", () =>
    Effect.gen(function* () {
      const stopped = yield* Deferred.make<void>()
      const begun = yield* Deferred.make<void>()
      const wait = Deferred.succeed(begun, undefined).pipe(
        Effect.andThen(Effect.never),
        Effect.onInterrupt(() => Deferred.succeed(stopped, undefined))
      )
      const handler = yield* calculator(wait)
      const fiber = yield* Effect.forkChild(handler(call("tools/call", { name: "wait", arguments: {} })))
      yield* Deferred.await(begun)
      yield* Fiber.interrupt(fiber)
      yield* Deferred.await(stopped)
      const result = yield* handler(call("tools/call", { name: "add", arguments: { a: 1, b: 1 } }))
      assert.deepInclude(result, { structuredContent: { sum: 2 } })
    })
  )
})
