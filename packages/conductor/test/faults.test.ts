/** Programs that break the rules of a chain: what their client gets, and that it names which of them did. */
import { assert, describe, it } from "@effect/vitest"
import * as AcpProxy from "@signalbox/acp/AcpProxy"
import * as MessageLink from "@signalbox/acp/MessageLink"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as TestClock from "effect/testing/TestClock"
import * as Component from "../src/Component.ts"
import * as Conductor from "../src/Conductor.ts"
import { node, running, standIn } from "./Programs.ts"
import { byHand, chain, connect, echo, errorOf, initialize, proxy, update } from "./Parts.ts"

const faulty = (...fault: ReadonlyArray<string>) => node("faulty", standIn("faulty"), ...fault)
const prompt = '{"sessionId":"s","prompt":[]}'

/** An agent that keeps each request but `initialize`, and says that it has it. */
const busy = Effect.gen(function* () {
  const reached = yield* Deferred.make<void>()
  const agent = byHand("agent", () => ({
    onRequest: ({ method }, respond) => {
      if (method === "initialize") respond({ result: '{"protocolVersion":1}' })
      else Deferred.doneUnsafe(reached, Effect.void)
    },
    onNotification: () => {}
  }))
  return { agent, reached: Deferred.await(reached) }
})

/** Faults that end the beginning of a chain, and the reason that the client gets. */
const beginnings: ReadonlyArray<
  readonly [fault: ReadonlyArray<string>, expected: { readonly [name: string]: unknown }]
> = [
  [["answer-early"], { reason: "NotForwarded" }],
  [["change-version"], { reason: "VersionChanged" }],
  [["die"], { reason: "Ended", exitCode: 9 }],
  [["exit"], { reason: "Ended", exitCode: 3 }]
]

describe("A faulty program in a chain", () => {
  for (const [fault, expected] of beginnings)
    it.live(`is named when it does this at the beginning: ${fault.join(" ")}`, () =>
      Effect.gen(function* () {
        const client = yield* connect(chain(echo(), proxy("first"), yield* faulty(...fault), proxy("last")))
        const { code, data, message } = errorOf(yield* initialize(client))
        assert.strictEqual(code, -32603)
        assert.deepInclude(data, { component: "faulty", ...expected })
        assert.match(message, /^faulty /)
        yield* client.connection.close
        assert.deepInclude(yield* client.ended, { component: "faulty" })
      })
    )

  it.live("is named when it never answers its initialization", () =>
    Effect.gen(function* () {
      const options = { ...chain(echo(), proxy("first"), yield* faulty("mute")), startWithin: "3 seconds" as const }
      const client = yield* connect(options)
      const { data, message } = errorOf(yield* initialize(client))
      assert.deepInclude(data, { component: "faulty", reason: "Silent" })
      assert.match(message, /^faulty did not answer/)
    })
  )

  it.live("is named when it dies in the middle of a prompt", () =>
    Effect.gen(function* () {
      const { agent } = yield* busy
      const client = yield* connect(chain(agent, proxy("first"), yield* faulty("die", "2"), proxy("last")))
      yield* initialize(client)
      const { data, message } = errorOf(yield* client.request("session/prompt", prompt))
      assert.deepInclude(data, { component: "faulty", reason: "Ended", exitCode: 9 })
      assert.strictEqual(message, "faulty exited with code 9.")
      assert.deepInclude(yield* client.ended, { component: "faulty" })
    })
  )

  it.live("is named when it is killed in the middle of a prompt", () =>
    Effect.gen(function* () {
      const { agent, reached } = yield* busy
      const before = running()
      const client = yield* connect(chain(agent, yield* faulty("reorder")))
      yield* initialize(client)
      const victim = running().find((pid) => !before.includes(pid))
      const answered = yield* Effect.forkChild(client.request("session/prompt", prompt))
      yield* reached
      process.kill(victim ?? 0, "SIGKILL")
      const { data, message } = errorOf(yield* Fiber.join(answered))
      assert.deepInclude(data, { component: "faulty", reason: "Ended", signal: "SIGKILL" })
      assert.strictEqual(message, "faulty was ended by SIGKILL.")
      yield* client.ended
      assert.deepStrictEqual(running(), before)
    })
  )

  it.live("is named in the error that it gets when it wraps a scalar, and to who watches", () =>
    Effect.gen(function* () {
      const issues: Array<string> = []
      const onIssue = (from: string, { _tag }: { readonly _tag: string }) => void issues.push(`${from}: ${_tag}`)
      const client = yield* connect({ ...chain(echo(), yield* faulty("wrap-scalar")), onIssue })
      yield* initialize(client)
      assert.deepStrictEqual(errorOf(yield* client.request("session/prompt", prompt)), {
        code: -32602,
        message: "faulty: The params of a message in proxy/successor are an object or a list",
        data: { component: "faulty" }
      })
      assert.deepStrictEqual(issues, ["faulty: Unreadable"])
    })
  )

  it.live("may print what is no message", () =>
    Effect.gen(function* () {
      const issues = new Set<string>()
      const onIssue = (from: string, { _tag }: { readonly _tag: string }) => void issues.add(`${from}: ${_tag}`)
      const client = yield* connect({ ...chain(echo(), yield* faulty("garbage")), onIssue })
      yield* initialize(client)
      assert.deepStrictEqual(yield* client.request("session/prompt", prompt), { result: '{"stopReason":"end_turn"}' })
      assert.deepStrictEqual([...issues], ["faulty: Unreadable"])
    })
  )

  it.live("that stalls holds nobody whose client leaves", () =>
    Effect.gen(function* () {
      const before = running()
      const client = yield* connect(chain(echo(), proxy("first"), yield* faulty("stall", "2")))
      yield* initialize(client)
      const answered = yield* Effect.forkChild(client.request("session/prompt", prompt))
      yield* client.connection.close
      assert.isUndefined(yield* client.ended)
      assert.property(yield* Fiber.join(answered), "closed")
      assert.deepStrictEqual(running(), before)
    })
  )

  it.live("that reorders is seen to do so: its order is its own", () =>
    Effect.gen(function* () {
      const agent = byHand("agent", ({ notify }) => ({
        onRequest: ({ method }, respond) => {
          if (method === "initialize") return respond({ result: '{"protocolVersion":1}' })
          for (const text of ["a", "b"]) notify({ side: "client", method: "session/update", params: update(text) })
          respond({ result: "null" })
        },
        onNotification: () => {}
      }))
      const client = yield* connect(chain(agent, yield* faulty("reorder")))
      yield* initialize(client)
      yield* client.request("session/prompt", prompt)
      const heard = yield* Queue.takeN(client.heard, 2)
      assert.deepStrictEqual(
        heard.map(({ params }) => params),
        [update("b"), update("a")]
      )
    })
  )
})

describe("A flood", () => {
  it.effect("is held where it comes from, as long as the client does not read", () =>
    Effect.gen(function* () {
      let written = 0
      const flooding = Component.inProcess("flooding", (link) => {
        const params = JSON.stringify({ text: "x".repeat(10_000) })
        const flood = Effect.suspend(() => {
          written += 1
          link.send({ _tag: "Notification", side: "client", method: "_flood", params })
          return Effect.andThen(link.room, Effect.yieldNow)
        })
        return link.receive((batch) =>
          Effect.suspend(() => {
            const [first] = batch
            if (first?._tag !== "Request") return Effect.void
            link.send({ _tag: "Response", id: first.id, answer: { result: '{"protocolVersion":1}' } })
            return Effect.forever(flood)
          })
        )
      })
      const [near, far] = MessageLink.pair()
      const conductor = yield* Effect.forkChild(
        Conductor.run(far, { mode: "agent", ...chain(flooding, proxy("first"), proxy("second")) })
      )
      yield* Effect.forkScoped(near.receive(() => Effect.never))
      near.send({ _tag: "Request", side: "client", id: "1", method: "initialize", params: '{"protocolVersion":1}' })
      for (let before = -1; before < written;) {
        before = written
        for (let n = 0; n < 500; n++) yield* Effect.yieldNow
      }
      assert.isAbove(written, 10)
      // The links to the client and from the agent hold a quarter of a megabyte each. Those between them hold nothing for long.
      assert.isBelow(written * 10_000, 2 * 1024 * 1024)
      yield* near.end
      yield* TestClock.adjust("5 seconds")
      assert.isUndefined(yield* Fiber.join(conductor))
    })
  )

  it.live("toward an agent that reads no more ends the chain, and both are named", () =>
    Effect.gen(function* () {
      const before = running()
      const agent = yield* node(
        "agent",
        "-e",
        `process.stdin.once("data", (line) => {
           process.stdin.pause()
           const { id } = JSON.parse(line)
           console.log(JSON.stringify({ jsonrpc: "2.0", id, result: { protocolVersion: 1 } }))
           setInterval(() => {}, 1000)
         })`
      )
      const text = "x".repeat(1_000_000)
      const flooding = Component.inProcess("flooding", (link) =>
        Effect.flatMap(
          AcpProxy.make(link, ({ agent }) => ({
            clientRequests: {
              "session/prompt": () => Effect.forever(Effect.andThen(agent.notify("_flood", { text }), Effect.yieldNow))
            }
          })),
          ({ closed }) => closed
        )
      )
      const client = yield* connect(chain(agent, proxy("first"), flooding))
      yield* initialize(client)
      const { data, message } = errorOf(yield* client.request("session/prompt", prompt))
      assert.deepInclude(data, { reason: "Flooded", component: "flooding" })
      assert.strictEqual(message, "flooding wrote more than agent reads: over 64 MiB wait for it.")
      assert.deepInclude(yield* client.ended, { reason: "Flooded" })
      assert.deepStrictEqual(running(), before)
    })
  )
})
