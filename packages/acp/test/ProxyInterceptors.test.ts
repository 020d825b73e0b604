/** Interceptors that do what they should not, and messages that they can't read: the chain's contract holds. */
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as AcpProxy from "../src/AcpProxy.ts"
import { RpcError } from "../src/JsonRpc.ts"
import type * as RawConnection from "../src/RawConnection.ts"
import { answer, cancel, expectNext, initialize, line, ready, start, wrapped } from "./ProxySide.ts"

const prompt = (rest = "") => `"method":"session/prompt","params":{"sessionId":"s","prompt":[]${rest}}`
const initializeOf = (version: number) => `"method":"initialize","params":{"protocolVersion":${version}}`

describe("An interceptor of initialize", () => {
  type Initialize = NonNullable<AcpProxy.Interceptors["clientRequests"]>["initialize"]
  const ended = (intercept: Initialize, successor = '"result":{"protocolVersion":1}') =>
    Effect.gen(function* () {
      const issues: Array<RawConnection.Issue> = []
      const side = yield* start(() => ({
        clientRequests: { initialize: intercept },
        onIssue: (issue) => issues.push(issue)
      }))
      yield* side.send(line(initialize.proxy, "0"))
      const first: unknown = JSON.parse(yield* side.next)
      if (JSON.stringify(first).includes('"id":0')) return { answer: first, issues }
      assert.deepStrictEqual(first, JSON.parse(wrapped(initializeOf(1), "1")))
      yield* side.send(answer(1, successor))
      return { answer: JSON.parse(yield* side.next), issues }
    })

  const without = "The proxy answered initialize without its successor's answer"
  const broken: ReadonlyArray<readonly [name: string, Initialize, message: string, successor?: string]> = [
    ["answers without passing it on", () => Effect.succeed({ protocolVersion: 1 }), without],
    [
      "answers for a successor that has failed",
      (_, forward) => Effect.orElseSucceed(forward(), () => ({ protocolVersion: 1 })),
      without,
      '"error":{"code":-1,"message":"Broken"}'
    ],
    [
      "changes the version",
      (_, forward) => Effect.map(forward(), (response) => ({ ...response, protocolVersion: 2 })),
      "The proxy changed protocolVersion from 1 to 2"
    ],
    ["throws", () => assert.fail("Broken"), "Internal error: Broken"],
    ["dies", () => Effect.die(new Error("Broken")), "Internal error: Broken"]
  ]
  for (const [name, intercept, message, successor] of broken) {
    it.effect(`is refused when it ${name}`, () =>
      Effect.gen(function* () {
        const outcome = yield* ended(intercept, successor)
        assert.deepStrictEqual(outcome.answer, { jsonrpc: "2.0", id: 0, error: { code: -32603, message } })
        assert.deepStrictEqual(
          outcome.issues.map((issue) => issue._tag),
          ["HandlerDefect"]
        )
      })
    )
  }

  it.effect("may fail without passing it on", () =>
    Effect.gen(function* () {
      const error = { code: -7, message: "No licence" }
      const outcome = yield* ended(() => Effect.fail(new RpcError(error)))
      assert.deepStrictEqual(outcome, { answer: { jsonrpc: "2.0", id: 0, error }, issues: [] })
    })
  )

  it.effect("may change everything else, and ask its successor for version 1", () =>
    Effect.gen(function* () {
      const side = yield* start(() => ({
        clientRequests: {
          initialize: (params, forward) =>
            Effect.map(forward({ ...params, protocolVersion: 1 }), (response) => ({ ...response, authMethods: [] }))
        }
      }))
      yield* side.send(line('"method":"proxy/initialize","params":{"protocolVersion":2,"info":{}}', "0"))
      yield* expectNext(side, wrapped('"method":"initialize","params":{"protocolVersion":1,"info":{}}', "1"))
      yield* side.send(answer(1, '"result":{"protocolVersion":1,"x":1}'))
      yield* expectNext(side, answer(0, '"result":{"protocolVersion":1,"x":1,"authMethods":[]}'))
    })
  )

  it.effect("is interrupted by a cancellation when it never passes it on", () =>
    Effect.gen(function* () {
      const side = yield* start(() => ({ clientRequests: { initialize: () => Effect.never } }))
      yield* side.send(line(initialize.proxy, "0"), cancel(0))
      yield* expectNext(side, answer(0, '"error":{"code":-32800,"message":"Request cancelled"}'))
    })
  )

  it.effect("[118] hears of each proxy/initialize, and of no plain initialize", () =>
    Effect.gen(function* () {
      const { next, send } = yield* ready()
      yield* send(line(initialize.proxy, "5"))
      yield* expectNext({ next }, wrapped(initializeOf(1), "2"))
      yield* send(line(initializeOf(1), "6"))
      assert.include(yield* next, '"id":6,"error":{"code":-32600')
    })
  )
})

describe("A request that is intercepted", () => {
  it.effect("[116] is passed on before what comes behind it, and so is its answer", () =>
    Effect.gen(function* () {
      const { next, send } = yield* ready(() => ({
        clientRequests: { "session/prompt": (params, forward) => forward({ ...params, prompt: [] }) }
      }))
      const stop = '"method":"session/cancel","params":{"sessionId":"s"}'
      yield* send(line(prompt(), "1"), line(stop))
      yield* expectNext({ next }, wrapped(prompt(), "2"))
      yield* expectNext({ next }, wrapped(stop))
      const update = '"method":"session/update","params":{}'
      yield* send(wrapped(update), answer(2, '"result":{"stopReason":"cancelled"}'), wrapped('"method":"_later"'))
      yield* expectNext({ next }, line(update))
      yield* expectNext({ next }, answer(1, '"result":{"stopReason":"cancelled"}'))
      yield* expectNext({ next }, line('"method":"_later"'))
    })
  )

  it.effect("[117] is not passed on any more once it was cancelled, even by code that nobody can interrupt", () =>
    Effect.gen(function* () {
      const started = yield* Deferred.make<void>()
      const goOn = yield* Deferred.make<void>()
      const { next, send } = yield* ready(() => ({
        clientRequests: {
          "session/prompt": (_, forward) =>
            Effect.uninterruptible(
              Effect.gen(function* () {
                yield* Deferred.succeed(started, undefined)
                yield* Deferred.await(goOn)
                return yield* forward()
              })
            )
        }
      }))
      yield* send(line(prompt(), "1"))
      yield* Deferred.await(started)
      yield* send(cancel(1), line('"method":"_behind"'))
      yield* expectNext({ next }, wrapped('"method":"_behind"'))
      yield* Deferred.succeed(goOn, undefined)
      yield* expectNext({ next }, answer(1, '"error":{"code":-32800,"message":"Request cancelled"}'))
    })
  )

  it.effect("[117] is not tried again once it was cancelled", () =>
    Effect.gen(function* () {
      const { next, send } = yield* ready(() => ({
        clientRequests: { "session/prompt": (_, forward) => Effect.retry(forward(), { times: 3 }) }
      }))
      yield* send(line(prompt(), "1"))
      yield* expectNext({ next }, wrapped(prompt(), "2"))
      yield* send(answer(2, '"error":{"code":-1,"message":"Busy"}'))
      yield* expectNext({ next }, wrapped(prompt(), "3"))
      yield* send(cancel(1))
      yield* expectNext({ next }, cancel(3))
      yield* send(answer(3, '"error":{"code":-32800,"message":"Cancelled there"}'))
      assert.include(yield* next, '"id":1,"error":{"code":-32800')
    })
  )

  it.effect("[117] interrupts code that has given up what it passed on", () =>
    Effect.gen(function* () {
      const { next, send } = yield* ready(({ client }) => ({
        clientRequests: {
          "session/prompt": (_, forward) =>
            Effect.raceFirst(
              forward(),
              Effect.as(client.request("_give_up", {}), { stopReason: "end_turn" as const })
            ).pipe(Effect.andThen(Effect.never))
        }
      }))
      yield* send(line(prompt(), "1"))
      yield* expectNext({ next }, wrapped(prompt(), "2"))
      yield* expectNext({ next }, line('"method":"_give_up","params":{}', "3"))
      yield* send(answer(3, '"result":null'))
      yield* expectNext({ next }, cancel(2))
      yield* send(cancel(1))
      yield* expectNext({ next }, answer(1, '"error":{"code":-32800,"message":"Request cancelled"}'))
      yield* send(answer(2, '"result":{"stopReason":"cancelled"}'), line('"method":"_on"'))
      yield* expectNext({ next }, wrapped('"method":"_on"'))
    })
  )

  it.effect("may come from the agent, and is cancelled by it", () =>
    Effect.gen(function* () {
      const { next, send } = yield* ready(() => ({
        agentRequests: {
          "fs/read_text_file": (params, forward) =>
            Effect.map(forward({ ...params, limit: 1 }), (file) => ({ ...file, content: file.content.toUpperCase() }))
        }
      }))
      const read = (more = "") => `"method":"fs/read_text_file","params":{"sessionId":"s","path":"/a"${more}}`
      yield* send(wrapped(read(), "1"), cancel(1))
      yield* expectNext({ next }, line(read(',"limit":1'), "2"))
      yield* expectNext({ next }, cancel(2))
      yield* send(answer(2, '"result":{"content":"a","z":1}'))
      yield* expectNext({ next }, answer(1, '"result":{"content":"A","z":1}'))
    })
  )

  it.effect("may be one of an extension, with any JSON", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const { next, send } = yield* ready(() => ({
        clientRequests: {
          _x: (params, forward) => Effect.tap(forward(params), (got) => Effect.sync(() => seen.push(params, got)))
        },
        agentNotifications: { _y: (params, forward) => forward([params]) }
      }))
      yield* send(line('"method":"_x","params":[1.0]', "1"), wrapped('"method":"_y","params":{"a":1}'))
      yield* expectNext({ next }, wrapped('"method":"_x","params":[1.0]', "2"))
      yield* expectNext({ next }, line('"method":"_y","params":[{"a":1}]'))
      yield* send(answer(2, '"result":9223372036854775807'))
      yield* expectNext({ next }, answer(1, '"result":9223372036854775807'))
      assert.deepStrictEqual(seen, [[1], 2 ** 63])
    })
  )

  it.effect("keeps what the schema does not know, also when a part is malformed", () =>
    Effect.gen(function* () {
      const { next, send } = yield* ready(() => ({
        clientRequests: { "session/prompt": (params, forward) => forward({ ...params, sessionId: "t" }) }
      }))
      yield* send(line(prompt(',"_meta":7,"x":{"y":null}'), "1"))
      const forwarded = JSON.parse(yield* next).params.params
      assert.deepStrictEqual(forwarded, { sessionId: "t", prompt: [], x: { y: null } })
    })
  )

  it.effect("may have null for its parameters and its result", () =>
    Effect.gen(function* () {
      const { next, send } = yield* ready(() => ({
        clientRequests: { logout: (params, forward) => forward(params) }
      }))
      yield* send(line('"method":"logout","params":null', "1"), line('"method":"logout"', "2"))
      yield* expectNext({ next }, wrapped('"method":"logout","params":null', "2"))
      yield* expectNext({ next }, wrapped('"method":"logout","params":{}', "3"))
      yield* send(answer(2, '"result":null'), answer(3, '"result":{}'))
      yield* expectNext({ next }, answer(1, '"result":null'))
      yield* expectNext({ next }, answer(2, '"result":{}'))
    })
  )

  it.effect("is answered when the result of its interceptor is no JSON", () =>
    Effect.gen(function* () {
      const cycle: { [key: string]: unknown } = {}
      cycle["self"] = cycle
      const { next, send } = yield* ready(() => ({
        clientRequests: {
          _x: () => Effect.succeed(cycle),
          _y: () => Effect.fail(new RpcError({ code: 1, message: "", data: 1n }))
        }
      }))
      yield* send(line('"method":"_x"', "1"), line('"method":"_y"', "2"))
      assert.include(yield* next, '"id":1,"error":{"code":-32603')
      assert.include(yield* next, '"id":2,"error":{"code":-32603')
    })
  )

  it.effect("is answered when the other side closes, and so is what its interceptor asked", () =>
    Effect.gen(function* () {
      const { end, next, send } = yield* ready(() => ({
        clientRequests: {
          "session/prompt": (_, forward) => forward(),
          "session/new": (_, forward) => Effect.orElseSucceed(forward(), () => ({ sessionId: "own" }))
        }
      }))
      yield* send(line(prompt(), "1"), line('"method":"session/new","params":{"cwd":"/","mcpServers":[]}', "2"))
      yield* next
      yield* next
      yield* end
      assert.include(yield* next, '"id":1,"error":{"code":-32603')
      yield* expectNext({ next }, answer(2, '"result":{"sessionId":"own"}'))
    })
  )
})

describe("An interceptor of notifications", () => {
  const updates = (act: () => Effect.Effect<void>) =>
    Effect.gen(function* () {
      const issues: Array<RawConnection.Issue> = []
      const { next, send } = yield* ready(() => ({
        agentNotifications: { "session/update": act },
        onIssue: (issue) => issues.push(issue)
      }))
      yield* send(
        wrapped('"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"plan","entries":[]}}'),
        wrapped('"method":"_on"')
      )
      yield* expectNext({ next }, line('"method":"_on"'))
      assert.deepStrictEqual(
        issues.map((issue) => issue._tag),
        ["HandlerDefect"]
      )
    })

  it.effect("that throws is reported, and reading goes on", () => updates(() => assert.fail("Broken")))
  it.effect("that dies is reported, and reading goes on", () => updates(() => Effect.die("Broken")))
  it.effect("that interrupts itself is reported, and reading goes on", () => updates(() => Effect.interrupt))
})
