import { assert, describe, it } from "@effect/vitest"
import * as ProxyDialect from "@signalbox/acp/ProxyDialect"
import type * as RawConnection from "@signalbox/acp/RawConnection"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as TestClock from "effect/testing/TestClock"
import * as Component from "../src/Component.ts"
import { arrow, byHand, chain, connect, echo, errorOf, initialize, nested, proxy, silent, update } from "./Parts.ts"

const prompt = '{"sessionId":"s","prompt":[]}'

/** An agent that keeps each request but `initialize`, to be answered by the test. */
const asked = Effect.gen(function* () {
  const requests = yield* Queue.unbounded<{ readonly id: string; readonly respond: RawConnection.Respond }>()
  const cancelled = yield* Queue.unbounded<string>()
  const connected = yield* Deferred.make<RawConnection.RawConnection>()
  const agent = byHand("agent", (connection) => {
    Deferred.doneUnsafe(connected, Effect.succeed(connection))
    return {
      onRequest: ({ id, method }, respond) => {
        if (method === "initialize") return respond({ result: '{"protocolVersion":1}' })
        Queue.offerUnsafe(requests, { id, respond })
        return () => void Queue.offerUnsafe(cancelled, id)
      },
      onNotification: () => {}
    }
  })
  return { agent, requests, cancelled, connection: Deferred.await(connected) }
})

describe("A chain", () => {
  it.effect("[116] keeps the updates of a turn before its answer through ten components", () =>
    Effect.gen(function* () {
      const count = 2_000
      const agent = byHand("agent", ({ notify }) => ({
        onRequest: ({ method }, respond) => {
          if (method === "initialize") return respond({ result: '{"protocolVersion":1}' })
          for (let n = 0; n < count; n++) notify({ side: "client", method: "session/update", params: update(`${n}`) })
          respond({ result: '"done"' })
        },
        onNotification: () => {}
      }))
      const proxies = Array.from({ length: 10 }, (_, n) => proxy(`p${n}`))
      const client = yield* connect(chain(agent, ...proxies))
      yield* initialize(client)
      let before = 0
      client.connection.request({ side: "client", method: "session/prompt", params: prompt }, () => {
        before = Queue.sizeUnsafe(client.heard)
      })
      yield* client.request("last")
      assert.strictEqual(before, count)
      for (let n = 0; n < count; n++) assert.strictEqual((yield* Queue.take(client.heard)).params, update(`${n}`))
    })
  )

  it.effect("[117] cancels the request on each hop by the id of that hop", () =>
    Effect.gen(function* () {
      const { agent, cancelled, requests } = yield* asked
      const client = yield* connect(chain(agent, proxy("first"), proxy("second")))
      yield* initialize(client)
      const answered = yield* Deferred.make<RawConnection.Settled>()
      const sent = client.connection.request({ side: "client", method: "session/prompt", params: prompt }, (settled) =>
        Deferred.doneUnsafe(answered, Effect.succeed(settled))
      )
      const { id, respond } = yield* Queue.take(requests)
      sent.cancel()
      assert.strictEqual(yield* Queue.take(cancelled), id)
      respond({ result: '"partial"' })
      assert.deepStrictEqual(yield* Deferred.await(answered), { result: '"partial"' })
    })
  )

  it.effect("brings a request of the agent to the client, and its answer back", () =>
    Effect.gen(function* () {
      const { agent, connection } = yield* asked
      const client = yield* connect(chain(agent, proxy("first"), proxy("second")))
      yield* initialize(client)
      const answered = yield* Deferred.make<RawConnection.Settled>()
      ;(yield* connection).request(
        { side: "client", method: "fs/read", params: '{"n":9223372036854775807}' },
        (settled) => Deferred.doneUnsafe(answered, Effect.succeed(settled))
      )
      assert.deepStrictEqual(yield* Deferred.await(answered), { result: "null" })
      assert.strictEqual((yield* Queue.take(client.heard)).params, '{"n":9223372036854775807}')
    })
  )

  it.effect("[119] is one component to an outer chain, at any depth", () =>
    Effect.gen(function* () {
      const inner = nested("inner", arrow("third"), nested("empty"), arrow("fourth"))
      const client = yield* connect(chain(echo(), arrow("first"), nested("outer", arrow("second"), inner)))
      assert.deepStrictEqual(yield* initialize(client), { result: '{"protocolVersion":1}' })
      yield* client.request("session/prompt", prompt)
      assert.include((yield* Queue.take(client.heard)).params, '">>>>hello"')
    })
  )

  it.effect("keeps what comes before it is initialized, and cancels that", () =>
    Effect.gen(function* () {
      const release = yield* Deferred.make<void>()
      const late = byHand("agent", () => ({
        onRequest: ({ method }, respond) => {
          if (method !== "initialize") return respond({ result: `"${method}"` })
          Effect.runFork(Effect.map(Deferred.await(release), () => respond({ result: '{"protocolVersion":1}' })))
        },
        onNotification: () => {}
      }))
      const client = yield* connect(chain(late))
      const answers: Array<RawConnection.Settled> = []
      const send = (method: string) =>
        client.connection.request({ side: "client", method, params: undefined }, (settled) => answers.push(settled))
      send("initialize")
      send("first")
      const second = send("second")
      second.cancel()
      yield* Effect.yieldNow
      yield* Deferred.succeed(release, undefined)
      yield* client.request("third")
      assert.deepStrictEqual(
        answers.map((answer) => ("error" in answer ? errorOf(answer).code : answer)),
        [-32800, { result: '{"protocolVersion":1}' }, { result: '"first"' }]
      )
    })
  )
})

/** A proxy by hand that knows one spelling of its initialization, and passes everything else on. */
const speaking = (name: string, method: string, answer: (params: string) => string) =>
  byHand(name, (conductor) => ({
    onRequest: (request, respond) => {
      if (request.side === "client" && request.method.endsWith("initialize") && request.method !== method)
        return respond({ error: '{"code":-32601,"message":"Method not found"}' })
      const onward = request.method === method ? "initialize" : request.method
      const side = request.side === "client" ? ("agent" as const) : ("client" as const)
      conductor.request({ side, method: onward, params: request.params }, (settled) => {
        if ("closed" in settled) return
        respond("result" in settled && onward === "initialize" ? { result: answer(request.params ?? "{}") } : settled)
      })
    },
    onNotification: () => {}
  }))

describe("The spelling of a proxy", () => {
  const plain = '{"protocolVersion":1}'
  it.effect.each([
    ["proxy/initialize", () => plain],
    ["_proxy/initialize", () => plain],
    ["initialize", (params: string) => JSON.stringify({ protocolVersion: 1, _meta: JSON.parse(params)._meta })]
  ] as const)("[119] is learned: %s", ([method, answer]) =>
    Effect.gen(function* () {
      const dialects = new Map<string, ProxyDialect.ProxyDialect>()
      const old = speaking("old", method, answer)
      const client = yield* connect({ ...chain(echo(), proxy("first"), old, proxy("last")), dialects })
      const initialized = yield* initialize(client)
      assert.propertyVal(JSON.parse("result" in initialized ? initialized.result : "null"), "protocolVersion", 1)
      assert.notInclude(JSON.stringify(initialized), "proxy")
      assert.strictEqual(ProxyDialect.initializeMethod[dialects.get("old") ?? "proxy"], method)
      assert.strictEqual(dialects.get("last"), "proxy")
    })
  )

  it.effect("is not asked for again when it was given", () =>
    Effect.gen(function* () {
      const asked: Array<string> = []
      const old = byHand("old", ({ request }) => ({
        onRequest: ({ method, params }, respond) => {
          asked.push(method)
          request({ side: "agent", method: "initialize", params }, (settled) => {
            if (!("closed" in settled)) respond(settled)
          })
        },
        onNotification: () => {}
      }))
      const client = yield* connect(chain(echo(), { ...old, proxyDialect: "_proxy" }))
      yield* initialize(client)
      assert.deepStrictEqual(asked, ["_proxy/initialize"])
    })
  )
})

describe("A chain that fails", () => {
  it.effect("[120] answers all that waits, and names who ended", () =>
    Effect.gen(function* () {
      const { agent, connection, requests } = yield* asked
      const client = yield* connect(chain(agent, proxy("first")))
      yield* initialize(client)
      const answers: Array<RawConnection.Settled> = []
      for (let n = 0; n < 3; n++)
        client.connection.request({ side: "client", method: "session/prompt", params: prompt }, (settled) =>
          answers.push(settled)
        )
      for (let n = 0; n < 3; n++) yield* Queue.take(requests)
      const last = yield* connection
      last.notify({ side: "client", method: "session/update", params: update("last words") })
      yield* last.close
      const failure = yield* client.ended
      assert.deepInclude(failure, { reason: "Ended", component: "agent" })
      assert.strictEqual((yield* Queue.take(client.heard)).params, update("last words"))
      for (const answer of answers)
        assert.deepInclude(errorOf(answer), {
          code: -32603,
          message: "agent ended.",
          data: { reason: "Ended", component: "agent" }
        })
      assert.lengthOf(answers, 3)
      assert.isTrue("closed" in (yield* client.request("session/new")))
    })
  )

  it.effect("is not held by a proxy that passes no error on", () =>
    Effect.gen(function* () {
      const { agent, connection, requests } = yield* asked
      const deaf = byHand("deaf", (conductor) => ({
        onRequest: ({ method, params }, respond) => {
          const onward = method === "proxy/initialize" ? "initialize" : method
          conductor.request({ side: "agent", method: onward, params }, (settled) => {
            if ("result" in settled) respond(settled)
          })
        },
        onNotification: () => {}
      }))
      const client = yield* connect(chain(agent, deaf))
      yield* initialize(client)
      const answered = yield* Deferred.make<RawConnection.Settled>()
      client.connection.request({ side: "client", method: "x", params: undefined }, (settled) =>
        Deferred.doneUnsafe(answered, Effect.succeed(settled))
      )
      yield* Queue.take(requests)
      yield* (yield* connection).close
      yield* TestClock.adjust("2 seconds")
      assert.deepInclude(errorOf(yield* Deferred.await(answered)).data, { component: "agent" })
    })
  )

  it.effect("ends when its client leaves, also behind a component that reads no more", () =>
    Effect.gen(function* () {
      const deaf = Component.inProcess("deaf", (link) =>
        link.receive((batch) =>
          Effect.suspend(() => {
            const [first] = batch
            if (first?._tag !== "Request") return Effect.never
            link.send({ _tag: "Response", id: first.id, answer: { result: '{"protocolVersion":1}' } })
            return Effect.void
          })
        )
      )
      const client = yield* connect(chain(deaf))
      yield* initialize(client)
      // More than a connection takes, so that the client's reader waits.
      const large = JSON.stringify(["x".repeat(2 * 1024 * 1024)])
      client.connection.notify({ side: "client", method: "x", params: large })
      yield* Effect.yieldNow
      client.connection.notify({ side: "client", method: "x", params: large })
      yield* client.connection.close
      yield* TestClock.adjust("5 seconds")
      assert.isUndefined(yield* client.ended)
    })
  )

  it.effect("takes a batch through all components before more is read", () =>
    Effect.gen(function* () {
      const { agent, connection } = yield* asked
      const client = yield* connect(chain(agent, proxy("first"), nested("second", proxy("third")), proxy("fourth")))
      yield* initialize(client)
      const { flush, notify } = yield* connection
      // Lets the chain do what follows the answer to the initialization.
      yield* Effect.yieldNow
      notify({ side: "client", method: "a", params: undefined })
      notify({ side: "client", method: "b", params: undefined })
      flush()
      assert.strictEqual(Queue.sizeUnsafe(client.heard), 2)
    })
  )

  it.effect("says which component did not answer in time", () =>
    Effect.gen(function* () {
      const { component, reached } = yield* silent("silent")
      const client = yield* connect(chain(echo(), proxy("first"), component))
      const answered = yield* Effect.forkChild(initialize(client))
      yield* reached
      yield* TestClock.adjust("2 minutes")
      assert.deepInclude(errorOf(yield* Fiber.join(answered)).data, { component: "silent", reason: "Silent" })
    })
  )

  it.effect("says who answered without initializing its successor", () =>
    Effect.gen(function* () {
      const hasty = byHand("hasty", () => ({
        onRequest: (_, respond) => respond({ result: '{"protocolVersion":1}' }),
        onNotification: () => {}
      }))
      const client = yield* connect(chain(echo(), hasty))
      assert.deepInclude(errorOf(yield* initialize(client)).data, { component: "hasty", reason: "NotForwarded" })
    })
  )

  it.effect("says who changed the protocol version", () =>
    Effect.gen(function* () {
      const up = proxy("up", {
        clientRequests: { initialize: (params, forward) => forward({ ...params, protocolVersion: 2 }) }
      })
      // An AcpProxy refuses to lie.
      const lying = byHand("lying", ({ request }) => ({
        onRequest: ({ params }, respond) =>
          request({ side: "agent", method: "initialize", params }, () => respond({ result: '{"protocolVersion":0}' }))
            .cancel,
        onNotification: () => {}
      }))
      for (const wrong of [up, lying]) {
        const client = yield* connect(chain(echo(), proxy("first"), wrong))
        assert.deepInclude(errorOf(yield* initialize(client)).data, { component: wrong.name, reason: "VersionChanged" })
      }
    })
  )

  it.effect("refuses two components of one name before it starts any", () =>
    Effect.gen(function* () {
      const never: Component.Component = { name: "twice", start: Effect.die("started") }
      const client = yield* connect(chain(echo(), never, never))
      assert.deepInclude(errorOf(yield* initialize(client)).data, { component: "twice", reason: "NamedTwice" })
    })
  )

  it.effect("lets nobody speak for another", () =>
    Effect.gen(function* () {
      const { agent, connection } = yield* asked
      const client = yield* connect(chain(agent, proxy("first")))
      yield* initialize(client)
      assert.strictEqual(errorOf(yield* client.request("proxy/initialize", "{}")).code, -32600)
      assert.strictEqual(errorOf(yield* client.request("_proxy/initialize", "{}")).code, -32600)
      assert.strictEqual(errorOf(yield* client.request("proxy/successor", '{"method":"x"}')).code, -32600)
      const answered = yield* Deferred.make<RawConnection.Settled>()
      ;(yield* connection).request({ side: "agent", method: "x", params: undefined }, (settled) =>
        Deferred.doneUnsafe(answered, Effect.succeed(settled))
      )
      const { code, data, message } = errorOf(yield* Deferred.await(answered))
      assert.deepStrictEqual([code, data], [-32600, { component: "agent" }])
      assert.match(message, /^agent: proxy\/successor passes only/)
    })
  )
})
