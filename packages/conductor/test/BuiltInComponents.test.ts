import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Component from "../src/Component.ts"
import * as BuiltInComponents from "../src/components/BuiltInComponents.ts"
import { host } from "./BothWays.ts"
import { bridge } from "../src/components/bridge/BridgeComponent.ts"
import { pass } from "../src/components/pass/Pass.ts"
import { byHand, chain, connect, initialize } from "./Parts.ts"

/** An agent that answers every request with its parameters. */
const mirror = byHand("mirror", () => ({
  onRequest: ({ method, params = "null" }, respond) =>
    respond({ result: method === "initialize" ? '{"protocolVersion":1}' : params }),
  onNotification: () => {}
}))

describe("The built-in components", () => {
  it("have names of their own, which need no quotes", () => {
    const names = BuiltInComponents.all.map(({ name }) => name)
    assert.strictEqual(new Set(names).size, names.length)
    for (const name of names) assert.match(name, /^[a-z][a-z0-9-]*$/)
  })

  it("are found by their name", () => {
    assert.strictEqual(BuiltInComponents.find("pass"), pass)
    assert.isUndefined(BuiltInComponents.find("no-such-component"))
  })
})

describe("pass", () => {
  it.effect("leaves what passes as it is", () =>
    Effect.gen(function* () {
      const run = Result.getOrThrow(pass.make({ args: [], log: () => {} }))
      const given = yield* host
      const client = yield* connect(
        chain(
          mirror,
          Component.inProcess("pass", (link) => run(link, given))
        )
      )
      yield* initialize(client)
      const odd = '{"large":9007199254740993,"none":null,"_meta":{"x":[1.0]}}'
      assert.deepStrictEqual(yield* client.request("_unknown/method", odd), { result: odd })
    })
  )

  it("refuses arguments", () => {
    assert.deepStrictEqual(pass.make({ args: ["--x"], log: () => {} }), Result.fail("It takes no arguments."))
  })
})

describe("bridge", () => {
  it("takes one argument, --legacy", () => {
    const make = (...args: ReadonlyArray<string>) => Result.isSuccess(bridge.make({ args, log: () => {} }))
    assert.deepStrictEqual(
      [make(), make("--legacy"), make("--other"), make("--legacy", "x")],
      [true, true, false, false]
    )
  })
})
