/** The promise that a turn is never closed before its last update, whatever the pipe does to the bytes. */
import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import type { CallFailure } from "../src/JsonRpc.ts"
import * as JsonRpcPeer from "../src/JsonRpcPeer.ts"
import * as OtherSide from "./OtherSide.ts"
import { notification, request, result } from "./OtherSide.ts"

const sizes = Arbitrary.array(Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 700 }))), {
  minLength: 1
})

/** How many notifications come before each of the other messages. */
const runs = Arbitrary.array(
  Arbitrary.all({
    notifications: Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 30 }))),
    followedBy: Arbitrary.schema(Schema.Literals(["response", "request"]))
  }),
  { minLength: 1, maxLength: 8 }
)

describe("Ordering", () => {
  it.effect.prop(
    "[12] responses and requests are dispatched after what came before them and before what came after",
    { runs, sizes },
    (given) =>
      Effect.gen(function* () {
        const other = yield* OtherSide.make
        const order: Array<string> = []
        const peer = yield* JsonRpcPeer.make(other.transport, () => ({
          onRequest: ({ method }) => Effect.sync(() => order.push(`start ${method}`)),
          // A consumer that takes its time: whatever could overtake gets the chance.
          onNotifications: (batch) =>
            Effect.andThen(
              Effect.yieldNow,
              Effect.sync(() => order.push(...batch.map(({ method }) => method)))
            )
        }))
        const calls: Array<Fiber.Fiber<unknown, CallFailure>> = []
        const wire: Array<unknown> = []
        const expected: Array<string> = []
        let count = 0
        for (const run of given.runs) {
          for (let i = 0; i < run.notifications; i++) {
            wire.push(notification(`n${count}`, {}))
            expected.push(`n${count}`)
            count += 1
          }
          if (run.followedBy === "request") {
            wire.push(request(count, `r${count}`))
          } else {
            const name = `c${calls.length}`
            const onResponse = () => Effect.sync(() => order.push(name))
            calls.push(
              yield* Effect.forkChild(
                Effect.tap(peer.call(name, {}, { onResponse }), () => Effect.sync(() => order.push(`resumed ${name}`))),
                { startImmediately: true }
              )
            )
            wire.push(result((yield* other.next).id, null))
            expected.push(name)
          }
          count += 1
        }
        const bytes = new TextEncoder().encode(wire.map((message) => `${JSON.stringify(message)}\n`).join(""))
        for (let at = 0, i = 0; at < bytes.length; i++) {
          const size = given.sizes[i % given.sizes.length] ?? 1
          yield* other.write(bytes.slice(at, at + size))
          at += size
        }
        yield* other.end
        yield* peer.closed
        yield* Effect.forEach(calls, Fiber.join)
        // What the reader does itself is in the order of the wire, exactly.
        assert.deepStrictEqual(
          order.filter((entry) => !/^(?:resumed|start)/.test(entry)),
          expected
        )
        // A caller goes on, and a request starts, after everything that came before it.
        for (const [index, entry] of order.entries()) {
          const [verb, name] = entry.split(" ")
          if (verb === "resumed") assert.include(order.slice(0, index), name)
          if (verb === "start") {
            const before = expected.filter(
              (each) => each.startsWith("n") && Number(each.slice(1)) < Number(name?.slice(1))
            )
            assert.deepStrictEqual(
              order.slice(0, index).filter((each) => before.includes(each)),
              before
            )
          }
        }
      }),
    { arbitrary: { runs: 60 } }
  )

  it.effect("a slow consumer holds back reading", () =>
    Effect.gen(function* () {
      const other = yield* OtherSide.make
      let delivered = 0
      const first = yield* Deferred.make<void>()
      const peer = yield* JsonRpcPeer.make(other.transport, () => ({
        onRequest: () => Effect.succeed(null),
        onNotifications: (batch) =>
          Effect.suspend(() => {
            delivered += batch.length
            return Effect.andThen(Deferred.succeed(first, undefined), Effect.never)
          })
      }))
      yield* other.send(notification("first", {}))
      yield* Deferred.await(first)
      yield* other.send(notification("second", {}))
      yield* other.end
      for (let i = 0; i < 100; i++) yield* Effect.yieldNow
      assert.strictEqual(delivered, 1)
      const state = yield* Effect.forkChild(peer.closed, { startImmediately: true })
      assert.isUndefined(state.pollUnsafe(), "not closed while something read is not dispatched")
    })
  )
})
