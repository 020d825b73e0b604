import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { RpcError } from "../src/JsonRpc.ts"
import { expectNext, ready, start } from "./ProxySide.ts"

const update = (text: string) =>
  `{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"${text}"}}}`

describe("A proxy", () => {
  it.effect("[115] passes on requests, answers and errors both ways as they stand", () =>
    Effect.gen(function* () {
      const { next, send } = yield* ready()
      const params = '{ "n":9223372036854775807, "absent":null,"_meta":{"x":1.0} }'
      yield* send(`{"jsonrpc":"2.0","id":"a","method":"_vendor/x","params":${params}}`)
      yield* expectNext(
        { next },
        `{"jsonrpc":"2.0","id":2,"method":"proxy/successor","params":{"method":"_vendor/x","params":${params}}}`
      )
      yield* send('{"jsonrpc":"2.0","id":2,"error":{"code":-1,"message":"no","data":null,"more":1e400}}')
      yield* expectNext(
        { next },
        '{"jsonrpc":"2.0","id":"a","error":{"code":-1,"message":"no","data":null,"more":1e400}}'
      )
      yield* send(
        `{"jsonrpc":"2.0","id":5,"method":"proxy/successor","params":{"method":"fs/read","params":${params}}}`
      )
      yield* expectNext({ next }, `{"jsonrpc":"2.0","id":3,"method":"fs/read","params":${params}}`)
      yield* send('{"jsonrpc":"2.0","id":3,"result":null}')
      yield* expectNext({ next }, '{"jsonrpc":"2.0","id":5,"result":null}')
    })
  )

  it.effect("[116] keeps the updates of a turn ahead of its answer", () =>
    Effect.gen(function* () {
      const { next, send } = yield* ready()
      yield* send('{"jsonrpc":"2.0","id":9,"method":"session/prompt","params":{}}')
      yield* next
      const updates = Array.from({ length: 500 }, (_, n) => update(`${n}`))
      yield* send(
        ...updates.map(
          (params) =>
            `{"jsonrpc":"2.0","method":"proxy/successor","params":{"method":"session/update","params":${params}}}`
        ),
        '{"jsonrpc":"2.0","id":2,"result":{"stopReason":"end_turn"}}'
      )
      for (const params of updates)
        yield* expectNext({ next }, `{"jsonrpc":"2.0","method":"session/update","params":${params}}`)
      yield* expectNext({ next }, '{"jsonrpc":"2.0","id":9,"result":{"stopReason":"end_turn"}}')
    })
  )

  it.effect("[117] translates a cancellation to the id of the next hop, and still passes on the answer", () =>
    Effect.gen(function* () {
      const { next, send } = yield* ready()
      yield* send('{"jsonrpc":"2.0","id":"long","method":"_x"}')
      yield* next
      yield* send('{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":"long"}}')
      yield* expectNext({ next }, '{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":2}}')
      yield* send('{"jsonrpc":"2.0","id":2,"result":{"partial":true}}')
      yield* expectNext({ next }, '{"jsonrpc":"2.0","id":"long","result":{"partial":true}}')
      // A second one comes too late, and concerns nobody.
      yield* send('{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":"long"}}')
      yield* send('{"jsonrpc":"2.0","method":"_after"}')
      yield* expectNext({ next }, '{"jsonrpc":"2.0","method":"proxy/successor","params":{"method":"_after"}}')
    })
  )

  it.effect("lets its author change a request, and its answer", () =>
    Effect.gen(function* () {
      const { next, send } = yield* ready(() => ({
        clientRequests: {
          "session/prompt": (params, forward) =>
            Effect.map(
              forward({ ...params, prompt: [{ type: "text", text: "Hello!" }, ...params.prompt] }),
              (response) => ({ ...response, stopReason: "max_tokens" as const })
            )
        }
      }))
      yield* send('{"jsonrpc":"2.0","id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[],"_x":[1]}}')
      yield* expectNext(
        { next },
        '{"jsonrpc":"2.0","id":2,"method":"proxy/successor","params":{"method":"session/prompt","params":{"sessionId":"s","prompt":[{"type":"text","text":"Hello!"}],"_x":[1]}}}'
      )
      yield* send('{"jsonrpc":"2.0","id":2,"result":{"stopReason":"end_turn","_y":2}}')
      yield* expectNext({ next }, '{"jsonrpc":"2.0","id":1,"result":{"stopReason":"max_tokens","_y":2}}')
    })
  )

  it.effect("keeps the digits of a request that its author has only looked at", () =>
    Effect.gen(function* () {
      const { next, send } = yield* ready(() => ({
        clientRequests: { "session/prompt": (params, forward) => forward(params) }
      }))
      const params = '{"sessionId":"s","prompt":[],"n":9223372036854775807}'
      yield* send(`{"jsonrpc":"2.0","id":1,"method":"session/prompt","params":${params}}`)
      yield* expectNext(
        { next },
        `{"jsonrpc":"2.0","id":2,"method":"proxy/successor","params":{"method":"session/prompt","params":${params}}}`
      )
      yield* send('{"jsonrpc":"2.0","id":2,"result":{"stopReason":"end_turn","n":9223372036854775807}}')
      yield* expectNext({ next }, '{"jsonrpc":"2.0","id":1,"result":{"stopReason":"end_turn","n":9223372036854775807}}')
    })
  )

  it.effect("lets its author change, hold back and add updates, and keeps their order", () =>
    Effect.gen(function* () {
      const { next, send } = yield* ready(({ client }) => ({
        agentNotifications: {
          "session/update": (params, forward) =>
            Effect.gen(function* () {
              const { update } = params
              if (update.sessionUpdate !== "agent_message_chunk" || update.content.type !== "text") return
              const { text } = update.content
              if (text === "drop") return
              if (text === "add") yield* client.notify("_added", {})
              yield* Effect.yieldNow
              yield* forward({ ...params, update: { ...update, content: { ...update.content, text: `>${text}` } } })
            })
        }
      }))
      const wrapped = (text: string) =>
        `{"jsonrpc":"2.0","method":"proxy/successor","params":{"method":"session/update","params":${update(text)}}}`
      yield* send(wrapped("a"), wrapped("drop"), wrapped("add"), '{"jsonrpc":"2.0","id":77,"result":null}')
      yield* send('{"jsonrpc":"2.0","method":"proxy/successor","params":{"method":"_last"}}')
      yield* expectNext({ next }, `{"jsonrpc":"2.0","method":"session/update","params":${update(">a")}}`)
      yield* expectNext({ next }, '{"jsonrpc":"2.0","method":"_added","params":{}}')
      yield* expectNext({ next }, `{"jsonrpc":"2.0","method":"session/update","params":${update(">add")}}`)
      yield* expectNext({ next }, '{"jsonrpc":"2.0","method":"_last"}')
    })
  )

  it.effect("cancels what its author has passed on, or else its author's code", () =>
    Effect.gen(function* () {
      const interrupted = yield* Deferred.make<void>()
      const { next, send } = yield* ready(() => ({
        clientRequests: {
          "session/prompt": (_, forward) => forward(),
          "session/new": () => Effect.onInterrupt(Effect.never, () => Deferred.succeed(interrupted, undefined))
        }
      }))
      yield* send('{"jsonrpc":"2.0","id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}')
      yield* next
      yield* send('{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":1}}')
      yield* expectNext({ next }, '{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":2}}')
      yield* send('{"jsonrpc":"2.0","id":2,"result":{"stopReason":"cancelled"}}')
      yield* expectNext({ next }, '{"jsonrpc":"2.0","id":1,"result":{"stopReason":"cancelled"}}')
      yield* send('{"jsonrpc":"2.0","id":3,"method":"session/new","params":{"cwd":"/","mcpServers":[]}}')
      yield* send('{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":3}}')
      yield* Deferred.await(interrupted)
      yield* expectNext({ next }, '{"jsonrpc":"2.0","id":3,"error":{"code":-32800,"message":"Request cancelled"}}')
    })
  )

  it.effect("answers for an author whose code fails or throws, and goes on", () =>
    Effect.gen(function* () {
      const { next, send } = yield* ready(() => ({
        clientRequests: {
          "session/new": () => Effect.fail(new RpcError({ code: -5, message: "Not here" })),
          "session/prompt": () => Effect.die(new Error("Broken"))
        },
        agentNotifications: { "session/update": () => Effect.die(new Error("Broken")) }
      }))
      yield* send('{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/","mcpServers":[]}}')
      yield* expectNext({ next }, '{"jsonrpc":"2.0","id":1,"error":{"code":-5,"message":"Not here"}}')
      yield* send('{"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}')
      yield* expectNext({ next }, '{"jsonrpc":"2.0","id":2,"error":{"code":-32603,"message":"Internal error: Broken"}}')
      yield* send(
        `{"jsonrpc":"2.0","method":"proxy/successor","params":{"method":"session/update","params":${update("a")}}}`
      )
      yield* send('{"jsonrpc":"2.0","id":3,"method":"session/new","params":{"cwd":7}}')
      assert.include(yield* next, '"id":3,"error":{"code":-32602')
    })
  )

  it.effect("speaks to its neighbours of its own accord", () =>
    Effect.gen(function* () {
      const { next, proxy, send } = yield* ready()
      const asked = yield* Effect.forkChild(proxy.agent.request("session/new", { cwd: "/" }))
      yield* expectNext(
        { next },
        '{"jsonrpc":"2.0","id":2,"method":"proxy/successor","params":{"method":"session/new","params":{"cwd":"/"}}}'
      )
      yield* send('{"jsonrpc":"2.0","id":2,"result":{"sessionId":"own"}}')
      assert.deepEqual(yield* Fiber.join(asked), { sessionId: "own" })
      yield* proxy.client.notify("_note", { a: 1 })
      yield* expectNext({ next }, '{"jsonrpc":"2.0","method":"_note","params":{"a":1}}')
    })
  )

  it.effect("[119] speaks the dialect in which it was initialized", () =>
    Effect.gen(function* () {
      const { next, send } = yield* start()
      yield* send('{"jsonrpc":"2.0","id":0,"method":"_proxy/initialize","params":{}}')
      yield* expectNext(
        { next },
        '{"jsonrpc":"2.0","id":1,"method":"_proxy/successor","params":{"method":"initialize","params":{}}}'
      )
    })
  )

  for (const [place, meta] of [
    ["_meta", '{"proxy":true,"kept":1}'],
    ["_meta.symposium", '{"symposium":{"version":"1.0","proxy":true},"kept":1}']
  ] as const) {
    it.effect(`[119] repeats the flag in ${place} of the oldest dialect, and does not pass it on`, () =>
      Effect.gen(function* () {
        const { next, send } = yield* start()
        yield* send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1,"_meta":${meta}}}`)
        const forwarded = JSON.parse(yield* next)
        assert.strictEqual(forwarded.method, "_proxy/successor/request")
        assert.strictEqual(forwarded.params.method, "initialize")
        assert.notInclude(JSON.stringify(forwarded), 'proxy":true')
        assert.strictEqual(forwarded.params.params._meta.kept, 1)
        yield* send(`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1,"_meta":{"mine":2}}}`)
        const { result } = JSON.parse(yield* next)
        assert.strictEqual(result._meta.mine, 2)
        assert.isTrue(place === "_meta" ? result._meta.proxy : result._meta.symposium.proxy)
        yield* send('{"jsonrpc":"2.0","method":"session/cancel","params":{}}')
        yield* expectNext(
          { next },
          '{"jsonrpc":"2.0","method":"_proxy/successor/notification","params":{"method":"session/cancel","params":{}}}'
        )
      })
    )
  }

  it.effect("[118] refuses what comes before its initialization, and an agent's initialize", () =>
    Effect.gen(function* () {
      const { next, send } = yield* start()
      for (const method of ["session/new", "initialize"]) {
        yield* send(`{"jsonrpc":"2.0","id":1,"method":"${method}","params":{"protocolVersion":1}}`)
        const { error } = JSON.parse(yield* next)
        assert.strictEqual(error.code, -32600)
        assert.include(error.message, `this is ${method}`)
      }
    })
  )

  it.effect("answers what it can't read, and goes on", () =>
    Effect.gen(function* () {
      const { next, send } = yield* ready()
      yield* send("not json", '{"jsonrpc":"2.0","id":4,"method":"proxy/successor","params":{"method":"a","params":7}}')
      assert.include(yield* next, '"id":4,"error":{"code":-32602')
      yield* send('{"jsonrpc":"2.0","method":"_on"}')
      yield* expectNext({ next }, '{"jsonrpc":"2.0","method":"proxy/successor","params":{"method":"_on"}}')
    })
  )

  it.effect("ends with its connection", () =>
    Effect.gen(function* () {
      const { end, proxy } = yield* ready()
      yield* end
      assert.strictEqual((yield* proxy.closed).reason, "InputEnded")
    })
  )
})
