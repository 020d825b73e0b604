import { assert, describe, it } from "@effect/vitest"
import type { MessageLink } from "@signalbox/acp/MessageLink"
import * as RawMessage from "@signalbox/acp/RawMessage"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as TestClock from "effect/testing/TestClock"
import type { Component } from "../src/Component.ts"
import * as Probe from "../src/Probe.ts"
import { arrow, byHand, connect, errorOf, initialize, proxy, silent, update } from "./Parts.ts"

/** An agent that counts its processes, and the `initialize` of each. It speaks of its own accord, and answers with its number. */
const counted = () => {
  const initializations: Array<Array<string | undefined>> = []
  const agent = byHand("agent", ({ notify }) => {
    const mine: Array<string | undefined> = []
    const number = initializations.push(mine)
    return {
      onRequest: ({ method, params }, respond) => {
        if (method === "initialize") {
          mine.push(params)
          respond({ result: '{"protocolVersion":1,"agentCapabilities":{"loadSession":true}}' })
          return notify({ side: "client", method: "session/update", params: update("early words") })
        }
        respond({ result: String(number) })
      },
      onNotification: () => {}
    }
  })
  return { agent, initializations }
}

describe("A probe of the agent", () => {
  it.effect("initializes each process once, and loses nothing that the agent says meanwhile", () =>
    Effect.gen(function* () {
      const { agent, initializations } = counted()
      const seen: Array<unknown> = []
      const client = yield* connect({
        assemble: (params) =>
          Effect.map(Probe.start(agent, params, "10 seconds"), ({ answer, component }) => {
            seen.push(answer)
            return { agent: component, proxies: [arrow("arrow")] }
          })
      })
      const answer = yield* initialize(client)
      assert.deepStrictEqual(seen, [answer])
      assert.deepStrictEqual(initializations, [['{"protocolVersion":1}']])
      assert.deepStrictEqual(yield* client.request("x"), { result: "1" })
      assert.include((yield* Queue.take(client.heard)).params, ">early words")
      yield* client.connection.close
      assert.isUndefined(yield* client.ended)
    })
  )

  it.effect("takes parameters for the same whose members stand in another order", () =>
    Effect.gen(function* () {
      const { agent, initializations } = counted()
      const reordered = proxy("reordered", {
        clientRequests: {
          initialize: ({ protocolVersion, ...rest }, forward) => forward({ ...rest, protocolVersion })
        }
      })
      const client = yield* connect({
        assemble: (params) =>
          Effect.map(Probe.start(agent, params, "10 seconds"), ({ component }) => ({
            agent: component,
            proxies: [reordered]
          }))
      })
      yield* client.request("initialize", '{"protocolVersion":1,"clientCapabilities":{"fs":{}}}')
      assert.lengthOf(initializations, 1)
    })
  )

  it.effect("starts the agent anew when a proxy initializes it with other parameters", () =>
    Effect.gen(function* () {
      const { agent, initializations } = counted()
      const adding = proxy("adding", {
        clientRequests: {
          initialize: (params, forward) => forward({ ...params, clientCapabilities: { terminal: true } })
        }
      })
      const client = yield* connect({
        assemble: (params) =>
          Effect.map(Probe.start(agent, params, "10 seconds"), ({ component }) => ({
            agent: component,
            proxies: [adding]
          }))
      })
      yield* initialize(client)
      assert.deepStrictEqual(initializations, [
        ['{"protocolVersion":1}'],
        ['{"protocolVersion":1,"clientCapabilities":{"terminal":true}}']
      ])
      assert.deepStrictEqual(yield* client.request("x"), { result: "2" })
    })
  )

  it.effect("fails with the agent that ends before it answers", () =>
    Effect.gen(function* () {
      const mute = byHand("mute", (connection) => ({
        onRequest: () => void Effect.runFork(connection.close),
        onNotification: () => {}
      }))
      const client = yield* connect({
        assemble: (params) =>
          Effect.map(Probe.start(mute, params, "10 seconds"), ({ component }) => ({ agent: component, proxies: [] }))
      })
      assert.deepInclude(errorOf(yield* initialize(client)).data, { component: "mute", reason: "Ended" })
    })
  )

  it.effect("fails with the agent that does not answer in time", () =>
    Effect.gen(function* () {
      const { component, reached } = yield* silent("mute")
      const client = yield* connect({
        assemble: (params, within) =>
          Effect.map(Probe.start(component, params, within), (probed) => ({ agent: probed.component, proxies: [] }))
      })
      const answered = yield* Effect.forkChild(initialize(client))
      yield* reached
      yield* TestClock.adjust("2 minutes")
      assert.deepInclude(errorOf(yield* Fiber.join(answered)).data, { component: "mute", reason: "Silent" })
    })
  )

  it.effect("hands on as an error what the agent answers beyond the length of a line", () =>
    Effect.gen(function* () {
      const answer = RawMessage.tooLong('{"jsonrpc":"2.0","id":"signalbox-probe","result":{"protocolVersion":1,"')
      const link: MessageLink = {
        receive: (take) => Effect.andThen(take([answer]), Effect.never),
        send: () => {},
        room: Effect.void,
        waiting: () => 0,
        end: Effect.void,
        setDialect: () => {}
      }
      const long: Component = {
        name: "long",
        start: Effect.succeed({ link, ended: Effect.succeed({ words: "ended" }), stop: Effect.void })
      }
      const probed = yield* Probe.start(long, '{"protocolVersion":1}', "10 seconds")
      assert.deepInclude(errorOf(probed.answer), { code: -32_600, message: "The response is too long" })
    })
  )
})
