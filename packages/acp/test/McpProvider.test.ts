/** MCP servers that a proxy offers, called by hand as an agent would. */
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type { Neighbours } from "../src/AcpProxy.ts"
import { RpcError } from "../src/JsonRpc.ts"
import * as McpProvider from "../src/McpProvider.ts"
import { answer, cancel, expectNext, line, ready, wrapped } from "./ProxySide.ts"

const meta =
  '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}'

/** A request of MCP as the agent sends it. */
const call = (serverId: string, requestId: string, method: string, params = `{${meta}}`) =>
  `"method":"mcp/message","params":{"serverId":${JSON.stringify(serverId)},"requestId":"${requestId}","method":"${method}","params":${params}}`

/** A proxy with one server, its registration, and its conductor. */
const offering = (handler: McpProvider.McpHandler, mostActive?: number) =>
  Effect.gen(function* () {
    let registration: McpProvider.Registration | undefined
    const side = yield* ready(({ agent }: Neighbours) => {
      const provider = McpProvider.make(agent)
      registration = provider.register({ name: "t", handler, mostActive })
      return { agentRequests: { "mcp/message": provider.answer } }
    })
    assert(registration !== undefined)
    return { ...side, ...registration, serverId: registration.declaration.serverId }
  })

describe("A server over ACP", () => {
  it.effect("[121] answers with its result, behind what it says on the way", () =>
    Effect.gen(function* () {
      let later: Effect.Effect<void> = Effect.void
      const side = yield* offering(({ method, notify }) => {
        later = notify("notifications/late")
        return Effect.as(notify("notifications/progress", { progress: 1 }), { method })
      })
      const { serverId } = side
      yield* side.send(wrapped(call(serverId, "r", "tools/list"), "7"))
      const about = `"serverId":${JSON.stringify(serverId)},"requestId":"r"`
      yield* expectNext(
        side,
        wrapped(`"method":"mcp/message","params":{${about},"method":"notifications/progress","params":{"progress":1}}`)
      )
      yield* expectNext(side, answer(7, '"result":{"result":{"method":"tools/list"}}'))
      yield* later
      yield* side.send(wrapped(call(serverId, "r", "again"), "8"))
      // The same name may be used again, and what came too late was not sent.
      yield* side.next
      yield* expectNext(side, answer(8, '"result":{"result":{"method":"again"}}'))
    })
  )

  it.effect("answers with errors of MCP inside an answer of ACP, also about the revision", () =>
    Effect.gen(function* () {
      const side = yield* offering(() =>
        Effect.fail(new RpcError({ code: -32_601, message: "No such method", data: null }))
      )
      const { next, send, serverId } = side
      yield* send(wrapped(call(serverId, "1", "x"), "1"))

      yield* expectNext(side, answer(1, '"result":{"error":{"code":-32601,"message":"No such method","data":null}}'))
      yield* send(wrapped(call(serverId, "2", "x", "{}"), "2"))
      assert.match(yield* next, /"id":2,"result":\{"error":\{"code":-32602,/)
      yield* send(wrapped(call(serverId, "3", "x", `{${meta.replace("2026-07-28", "2030-01-01")}}`), "3"))
      assert.match(
        yield* next,
        /"error":\{"code":-32022,.*"data":\{"supported":\["2026-07-28"\],"requested":"2030-01-01"\}\}\}/
      )
      yield* send(wrapped(call(serverId, "4", "x", `{${meta.replace(":{}}", ":1}")}}`), "4"))
      assert.match(yield* next, /"id":4,"result":\{"error":\{"code":-32602,/)
    })
  )

  it.effect("refuses a name that is in use, and more than its limit", () =>
    Effect.gen(function* () {
      const side = yield* offering(() => Effect.never, 2)
      const { next, send, serverId } = side
      yield* send(wrapped(call(serverId, "a", "x"), "1"), wrapped(call(serverId, "a", "x"), "2"))
      assert.match(yield* next, /"id":2,"error":\{"code":-32602,/)
      yield* send(wrapped(call(serverId, "b", "x"), "3"), wrapped(call(serverId, "c", "x"), "4"))
      assert.match(yield* next, /"id":4,"error":\{"code":-33000,/)
      // What is cancelled makes room.
      yield* send(cancel(1))
      assert.match(yield* next, /"id":1,"error":\{"code":-32800,/)
      yield* send(wrapped(call(serverId, "c", "x"), "5"), wrapped(call(serverId, "d", "x"), "6"))
      assert.match(yield* next, /"id":6,"error":\{"code":-33000,/)
    })
  )

  it.effect("stops its work when the request is cancelled", () =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<void>()
      const stopped = yield* Deferred.make<void>()
      const side = yield* offering(() =>
        Deferred.succeed(begun, undefined).pipe(
          Effect.andThen(Effect.never),
          Effect.onInterrupt(() => Deferred.succeed(stopped, undefined))
        )
      )
      yield* side.send(wrapped(call(side.serverId, "a", "x"), "1"))
      yield* Deferred.await(begun)
      yield* side.send(cancel(1))
      yield* Deferred.await(stopped)
      assert.match(yield* side.next, /"id":1,"error":\{"code":-32800,/)
    })
  )

  it.effect("cancels what is under way when it ends, and is not there afterwards", () =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<void>()
      const side = yield* offering(() => Effect.andThen(Deferred.succeed(begun, undefined), Effect.never))
      const { dispose, next, send, serverId } = side
      yield* send(wrapped(call(serverId, "a", "x"), "1"))
      yield* Deferred.await(begun)
      yield* dispose
      assert.match(yield* next, /"id":1,"error":\{"code":-32800,/)
      yield* send(wrapped(call(serverId, "b", "x"), "2"))
      assert.match(yield* next, /"id":2,"error":\{"code":-33001,/)
    })
  )

  it.effect("answers -33002 when its code throws, and goes on", () =>
    Effect.gen(function* () {
      const side = yield* offering(({ method }) => {
        if (method === "throw") throw new Error("out of luck")
        return method === "die" ? Effect.die(new Error("out of luck")) : Effect.succeed({})
      })
      const { next, send, serverId } = side
      for (const method of ["throw", "die"]) {
        yield* send(wrapped(call(serverId, "a", method), "1"))
        assert.match(yield* next, /"id":1,"error":\{"code":-33002,"message":"[^"]*out of luck/)
      }
      yield* send(wrapped(call(serverId, "a", "x"), "2"))
      yield* expectNext(side, answer(2, '"result":{"result":{}}'))
    })
  )

  it.effect("leaves requests to servers of others to them, unchanged", () =>
    Effect.gen(function* () {
      const side = yield* offering(() => Effect.succeed({}))
      const foreign = call("other", "1", "x", '{"n":9007199254740993}')
      yield* side.send(wrapped(foreign, '"a"'))
      yield* expectNext(side, line(foreign, "2"))
    })
  )

  it.effect("refuses an envelope without its parts", () =>
    Effect.gen(function* () {
      const side = yield* offering(() => Effect.succeed({}))
      yield* side.send(wrapped('"method":"mcp/message","params":{"serverId":"s"}', "1"))
      assert.match(yield* side.next, /"id":1,"error":\{"code":-32602,/)
    })
  )
})
