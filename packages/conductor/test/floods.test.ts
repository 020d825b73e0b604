/** Traffic that is more than somebody reads: it is held back, or ends the chain with the name of who is at fault. It never fills the memory. */
import { assert, describe, it } from "@effect/vitest"
import * as MessageLink from "@signalbox/acp/MessageLink"
import * as RawConnection from "@signalbox/acp/RawConnection"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Sink from "effect/Sink"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import type { ChainFailure } from "../src/ChainFailure.ts"
import * as Component from "../src/Component.ts"
import * as Conductor from "../src/Conductor.ts"
import { byHand, chain, connect, errorOf, initialize, nested, proxy } from "./Parts.ts"
import { node, running } from "./Programs.ts"

const megabyte = "x".repeat(1_000_000)

/** Answers `initialize`. What comes then, it reads when the gate opens, and answers it. */
const slow = (name: string, gate: Effect.Effect<void>): Component.Component =>
  Component.inProcess(name, (link) => {
    const isFirst = (arrival: MessageLink.Arrival | undefined) =>
      arrival === undefined || (arrival._tag === "Request" && arrival.method === "initialize")
    const gated: MessageLink.MessageLink = {
      ...link,
      receive: (take) => link.receive((batch) => (isFirst(batch[0]) ? take(batch) : Effect.andThen(gate, take(batch))))
    }
    const handlers: RawConnection.Handlers = {
      onRequest: ({ method }, respond) =>
        respond({ result: method === "initialize" ? '{"protocolVersion":1}' : '{"stopReason":"end_turn"}' }),
      onNotification: () => {}
    }
    return Effect.flatMap(
      RawConnection.make(gated, () => handlers),
      ({ closed }) => closed
    )
  })

/** Answers `initialize`, and writes notifications from then on, while there is room and it goes on. `written` counts their characters. */
const flooding = (name: string) => {
  const params = JSON.stringify({ text: "x".repeat(100_000) })
  const counted = { written: 0, goesOn: true }
  const component = Component.inProcess(name, (link) => {
    const flood = Effect.suspend(() => {
      counted.written += params.length
      link.send({ _tag: "Notification", side: "client", method: "_flood", params })
      return Effect.andThen(link.room, Effect.yieldNow)
    })
    return link.receive((batch) =>
      Effect.suspend(() => {
        const [first] = batch
        if (first?._tag !== "Request") return Effect.void
        link.send({ _tag: "Response", id: first.id, answer: { result: '{"protocolVersion":1}' } })
        return Effect.repeat(flood, { while: () => counted.goesOn })
      })
    )
  })
  return { component, counted }
}

/** A client that writes these lines, in pieces as a pipe has them, and stays. What it gets goes into the sink. */
const writing = (lines: ReadonlyArray<string>, output: Sink.Sink<void, Uint8Array>) => {
  const pieces = function* () {
    for (const line of lines) {
      const bytes = Buffer.from(`${line}\n`)
      for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
    }
  }
  const input = Stream.fromIterable({ [Symbol.iterator]: pieces }).pipe(Stream.rechunk(1), Stream.concat(Stream.never))
  return MessageLink.overBytes({ input, output })
}

const begin = '{"id":1,"method":"initialize","params":{"protocolVersion":1}}'

const passTime = Effect.andThen(TestClock.adjust("250 millis"), Effect.repeat(Effect.yieldNow, { times: 20 }))

describe("A few large prompts", () => {
  it.effect("wait in front of the chain as long as the agent does not read, and are answered then", () =>
    Effect.gen(function* () {
      const gate = Latch.makeUnsafe(false)
      const answered = yield* Deferred.make<void>()
      let heard = ""
      const output = Sink.forEach((bytes: Uint8Array) =>
        Effect.suspend(() => {
          heard += Buffer.from(bytes).toString()
          return heard.includes('"id":5,') ? Deferred.succeed(answered, undefined) : Effect.void
        })
      )
      const text = "x".repeat(30 * 1024 ** 2)
      const prompts = [2, 3, 4, 5].map((id) => `{"id":${id},"method":"session/prompt","params":{"text":"${text}"}}`)
      const client = yield* writing([begin, ...prompts], output)
      yield* Effect.forkScoped(
        Conductor.run(client, { mode: "agent", ...chain(slow("agent", gate.await), proxy("first")) })
      )
      // Longer than a reader waits for room, and time enough to read all lines.
      for (let count = 0; count < 5; count++) {
        yield* TestClock.adjust("250 millis")
        yield* Effect.repeat(Effect.yieldNow, { times: 5000 })
      }
      gate.openUnsafe()
      yield* Deferred.await(answered)
      for (const id of [2, 3, 4, 5]) assert.include(heard, `"id":${id},"result":{"stopReason":"end_turn"}`)
    }).pipe(Effect.scoped)
  )
})

describe("A flood of a client", () => {
  it.effect("toward an agent that reads no more ends the chain, and blames no component", () =>
    Effect.gen(function* () {
      const client = yield* connect(chain(slow("agent", Effect.never), proxy("first")))
      yield* initialize(client)
      const answered = yield* Effect.forkChild(client.request("session/prompt", "{}"))
      for (let count = 0; count < 70; count++) {
        client.connection.notify({ side: "client", method: "_flood", params: `"${megabyte}"` })
        yield* passTime
      }
      yield* TestClock.adjust("5 seconds")
      const { data, message } = errorOf(yield* Fiber.join(answered))
      assert.deepStrictEqual(data, { reason: "Flooded" })
      assert.strictEqual(message, "The client wrote more than agent reads: over 64 MiB wait.")
      assert.deepInclude(yield* client.ended, { reason: "Flooded" })
    })
  )

  it.live("that does not read the answers ends the chain", () =>
    Effect.gen(function* () {
      const requests = Array.from({ length: 70 }, (_, at) => `{"id":"${at}${megabyte}","method":"proxy/initialize"}`)
      const client = yield* writing(
        [begin, ...requests],
        Sink.forEach(() => Effect.never)
      )
      const failure = yield* Conductor.run(client, { mode: "agent", ...chain(slow("agent", Effect.void)) })
      assert.deepInclude(failure, {
        reason: "Flooded",
        message: "The client writes and does not read: over 64 MiB wait for it."
      })
    }).pipe(Effect.scoped)
  )
})

describe("A flood of a component", () => {
  it.live("that does not read the answers ends the chain, and it is named", () =>
    Effect.gen(function* () {
      const before = running()
      const agent = yield* node(
        "agent",
        "-e",
        `process.stdin.once("data", (line) => {
           process.stdin.pause()
           const { id } = JSON.parse(line)
           console.log(JSON.stringify({ jsonrpc: "2.0", id, result: { protocolVersion: 1 } }))
           for (let at = 0; at < 70; at++) console.log('{"id":"' + at + "x".repeat(1e6) + '","method":"proxy/initialize"}')
           setInterval(() => {}, 1000)
         })`
      )
      const client = yield* connect(chain(agent, proxy("first")))
      yield* initialize(client)
      assert.deepInclude(yield* client.ended, {
        reason: "Flooded",
        component: "agent",
        message: "agent writes and does not read: over 64 MiB wait for it."
      })
      assert.deepStrictEqual(running(), before)
    })
  )

  it.effect("is held where it comes from through a nested chain, too, as long as the client does not read", () =>
    Effect.gen(function* () {
      const { component, counted } = flooding("agent")
      const [near, far] = MessageLink.pair()
      const conductor = yield* Effect.forkChild(
        Conductor.run(far, { mode: "agent", ...chain(component, nested("inner", proxy("first"), proxy("second"))) })
      )
      yield* Effect.forkScoped(near.receive(() => Effect.never))
      near.send({ _tag: "Request", side: "client", id: "1", method: "initialize", params: '{"protocolVersion":1}' })
      yield* Effect.repeat(passTime, { times: 200 })
      assert.isAbove(counted.written, 100_000)
      assert.isBelow(counted.written, 8 * 1024 ** 2)
      yield* near.end
      yield* TestClock.adjust("5 seconds")
      assert.isUndefined(yield* Fiber.join(conductor))
    })
  )

  it.effect("behind a nested chain whose proxy reads no more ends that chain, and names the proxy", () =>
    Effect.gen(function* () {
      const { component, counted } = flooding("agent")
      const deaf = byHand("deaf", ({ request }) => ({
        onRequest: ({ method, params }, respond) => {
          if (method !== "proxy/initialize") return
          request({ side: "agent", method: "initialize", params }, (settled) => {
            if (!("closed" in settled)) respond(settled)
          })
        },
        onNotification: () => Effect.never
      }))
      const failed = yield* Deferred.make<ChainFailure>()
      const inner = Component.inProcess("inner", (link) =>
        Conductor.run(link, {
          mode: "proxy",
          assemble: () => Effect.succeed({ proxies: [deaf] }),
          onFailure: (failure) => {
            counted.goesOn = false
            Deferred.doneUnsafe(failed, Effect.succeed(failure))
          }
        })
      )
      const client = yield* connect(chain(component, inner))
      yield* initialize(client)
      for (let count = 0; count < 1000 && !Deferred.isDoneUnsafe(failed); count++) yield* passTime
      assert.deepInclude(yield* Effect.timeout(Deferred.await(failed), 0), {
        reason: "Flooded",
        message: "The successor of the chain wrote more than deaf reads: over 64 MiB wait."
      })
      assert.isBelow(counted.written, 128 * 1024 ** 2)
      const ended = yield* Effect.forkChild(client.ended)
      for (let count = 0; count < 100 && ended.pollUnsafe() === undefined; count++) yield* passTime
      assert.deepInclude(yield* Effect.timeout(Fiber.join(ended), 0), { component: "inner" })
    })
  )
})
