import * as MessageLink from "@signalbox/acp/MessageLink"
import * as MetaCapability from "@signalbox/acp/MetaCapability"
import * as RawConnection from "@signalbox/acp/RawConnection"
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as TestClock from "effect/testing/TestClock"
import { ChainFailure } from "../src/ChainFailure.ts"
import type * as Component from "../src/Component.ts"
import * as Conductor from "../src/Conductor.ts"
import { arrow, byHand, chain, connect, echo, errorOf, initialize, nested, proxy } from "./Parts.ts"

describe("A conductor as an agent", () => {
  it.effect("[114] passes a turn through proxies, each of which adds to it", () =>
    Effect.gen(function* () {
      const client = yield* connect(chain(echo(), arrow("first"), arrow("second")))
      assert.deepStrictEqual(yield* initialize(client), { result: '{"protocolVersion":1}' })
      const answer = yield* client.request("session/prompt", '{"sessionId":"s","prompt":[]}')
      assert.deepStrictEqual(answer, { result: '{"stopReason":"end_turn"}' })
      const heard = yield* Queue.take(client.heard)
      assert.include(heard.params, '">>hello"')
      yield* client.connection.close
      assert.isUndefined(yield* client.ended)
    })
  )

  it.effect("answers once, with what the agent can do and what components add to it", () =>
    Effect.gen(function* () {
      const agent = byHand("able", () => ({
        onRequest: (_, respond) =>
          respond({ result: '{"protocolVersion":1,"agentCapabilities":{"loadSession":true,"_meta":{"own":1}}}' }),
        onNotification: () => {}
      }))
      const adding = (name: string) =>
        proxy(name, {
          clientRequests: {
            initialize: (_params, forward) =>
              Effect.map(forward(), (answer) => ({
                ...answer,
                agentCapabilities: MetaCapability.add(answer.agentCapabilities ?? {}, name)
              }))
          }
        })
      const client = yield* connect(chain(agent, adding("first"), adding("second")))
      const answer = yield* initialize(client)
      assert.deepStrictEqual(JSON.parse("result" in answer ? answer.result : "null"), {
        protocolVersion: 1,
        agentCapabilities: {
          loadSession: true,
          _meta: { own: 1, symposium: { version: "1.0", first: true, second: true } }
        }
      })
    })
  )

  it.effect("[118] refuses a first request that is not initialize, and all that follow", () =>
    Effect.gen(function* () {
      const client = yield* connect(chain(echo()))
      for (const method of ["session/new", "initialize", "session/prompt"]) {
        const { code, message } = errorOf(yield* client.request(method, "{}"))
        assert.strictEqual(code, -32600)
        assert.strictEqual(message, "The first request has to be initialize, and it was session/new.")
      }
      yield* client.connection.close
      assert.strictEqual((yield* client.ended)?.reason, "Misused")
    })
  )

  it.effect("names the component that is no proxy", () =>
    Effect.gen(function* () {
      const plain = byHand("plain agent", () => ({
        onRequest: ({ method }, respond) =>
          respond(
            method === "initialize"
              ? { result: '{"protocolVersion":1}' }
              : { error: '{"code":-32601,"message":"Method not found"}' }
          ),
        onNotification: () => {}
      }))
      const client = yield* connect(chain(echo(), proxy("first"), plain))
      const { code, data, message } = errorOf(yield* initialize(client))
      assert.strictEqual(code, -32603)
      assert.deepInclude(data, { component: "plain agent", reason: "NotAProxy" })
      assert.include(message, "plain agent is no proxy")
      assert.deepInclude(errorOf(yield* client.request("session/new")).data, { component: "plain agent" })
    })
  )

  it.effect.each([-32_601, -32_600])("asks an agent only once that refuses with %d, and blames no proxy", (code) =>
    Effect.gen(function* () {
      let asked = 0
      const refusing = byHand("refusing", () => ({
        onRequest: (_, respond) => {
          asked += 1
          respond({ error: JSON.stringify({ code, message: "Not here" }) })
        },
        onNotification: () => {}
      }))
      const client = yield* connect(chain(refusing, proxy("first"), proxy("second")))
      assert.deepStrictEqual(errorOf(yield* initialize(client)), { code, message: "Not here" })
      assert.strictEqual(asked, 1)
      yield* client.connection.close
      assert.deepInclude(yield* client.ended, { reason: "Refused", component: "refusing" })
    })
  )

  it.effect("names the reason also when its client leaves while a component is being stopped", () =>
    Effect.gen(function* () {
      const stopping = yield* Deferred.make<void>()
      const mayStop = yield* Deferred.make<void>()
      const slow = proxy("slow")
      const slowly: Component.Component = {
        ...slow,
        start: Effect.map(slow.start, (started) => ({
          ...started,
          stop: Deferred.succeed(stopping, undefined).pipe(
            Effect.andThen(Deferred.await(mayStop)),
            Effect.andThen(started.stop)
          )
        }))
      }
      const refusing = byHand("refusing", () => ({
        onRequest: (_, respond) => respond({ error: '{"code":-32000,"message":"no"}' }),
        onNotification: () => {}
      }))
      const client = yield* connect(chain(refusing, slowly))
      assert.strictEqual(errorOf(yield* initialize(client)).code, -32000)
      yield* Deferred.await(stopping)
      yield* client.connection.close
      yield* Deferred.succeed(mayStop, undefined)
      const ended = yield* client.ended
      assert.strictEqual(ended?.reason, "Refused")
      assert.strictEqual(ended?.component, "refusing")
      assert.include(ended?.message, 'refusing answered its initialization with an error: {"code":-32000')
    })
  )

  it.effect("names the component of an inner chain that failed, to every request and to its own owner", () =>
    Effect.gen(function* () {
      const missing: Component.Component = {
        ...proxy("missing"),
        start: Effect.fail(
          new ChainFailure({ reason: "NotStarted", component: "missing", message: "missing could not be started." })
        )
      }
      const client = yield* connect(chain(echo(), proxy("first"), nested("inner", proxy("second"), missing)))
      const [initialized, pipelined] = yield* Effect.all([initialize(client), client.request("session/new")], {
        concurrency: "unbounded"
      })
      for (const answer of [initialized, pipelined, yield* client.request("session/new")])
        assert.deepInclude(errorOf(answer).data, { component: "missing", reason: "NotStarted" })
      yield* client.connection.close
      const ended = yield* client.ended
      assert.deepInclude(ended, { reason: "Refused", component: "inner" })
      assert.include(ended?.message, "missing could not be started.")
    })
  )
})

describe("A client that leaves while the chain is initialized", () => {
  for (const proxies of [[], [proxy("first")]])
    it.effect(`is no failure of a conductor in proxy mode with ${proxies.length} proxies`, () =>
      Effect.gen(function* () {
        const [near, far] = MessageLink.pair()
        const conductor = yield* Effect.forkChild(
          Conductor.run(far, {
            mode: "proxy",
            assemble: () => Effect.succeed({ proxies }),
            onFailure: ({ message }) => assert.fail(message)
          })
        )
        const asked = yield* Deferred.make<void>()
        const outer = yield* RawConnection.make(near, () => ({
          onRequest: () => void Deferred.doneUnsafe(asked, Effect.void),
          onNotification: () => {}
        }))
        outer.setDialect("proxy")
        outer.request({ side: "client", method: "proxy/initialize", params: '{"protocolVersion":1}' }, () => {})
        yield* Deferred.await(asked)
        yield* outer.close
        yield* TestClock.adjust("5 seconds")
        assert.isUndefined(yield* Fiber.join(conductor))
      })
    )
})
