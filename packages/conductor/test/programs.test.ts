/** Chains of real programs: what they say, how they end, and that nothing of them is left. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import type { Component } from "../src/Component.ts"
import { connect, errorOf, initialize, update } from "./Parts.ts"
import { node, program, running, standIn } from "./Programs.ts"

/** Whether a process lives. */
const lives = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Answers initialize with its pid, says so on stderr, and dies at the next request. */
const mortal = `
  const lines = require("node:readline").createInterface({ input: process.stdin })
  lines.on("line", (line) => {
    const { id, method } = JSON.parse(line)
    if (method === "initialize") return console.log(JSON.stringify({ jsonrpc: "2.0", id, result: { protocolVersion: 1, pid: process.pid } }))
    console.error("out of luck")
    process.exitCode = 7
    process.stdin.destroy()
  })
`

/** Answers initialize, begins each prompt with a piece of text, and never ends it. */
const endless = `
  const say = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }))
  require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method } = JSON.parse(line)
    if (method === "initialize") return say({ id, result: { protocolVersion: 1 } })
    say({ method: "session/update", params: ${update("begun")} })
  })
`

/** Connects to an agent behind two proxies. */
const throughTwo = Effect.fnUntraced(function* (agent: Component) {
  const proxies = [yield* node("arrow 1", standIn("arrow")), yield* node("arrow 2", standIn("arrow"))]
  return yield* connect({ assemble: () => Effect.succeed({ agent, proxies }) })
})

describe("A chain of programs", () => {
  it.live("brings a turn through two proxies, and leaves no process when its client has left", () =>
    Effect.gen(function* () {
      const before = running()
      const client = yield* throughTwo(yield* node("eliza", standIn("eliza")))
      assert.property(yield* initialize(client), "result")
      const session = yield* client.request("session/new", '{"cwd":"/","mcpServers":[]}')
      const { sessionId } = JSON.parse("result" in session ? session.result : "null")
      const prompt = JSON.stringify({ sessionId, prompt: [{ type: "text", text: "Hello" }] })
      assert.deepInclude(JSON.parse(JSON.stringify(yield* client.request("session/prompt", prompt))), {
        result: '{"stopReason":"end_turn"}'
      })
      assert.match((yield* Queue.take(client.heard)).params ?? "", /"text":">>/)
      yield* client.connection.close
      assert.isUndefined(yield* client.ended)
      assert.deepStrictEqual(running(), before)
    })
  )

  it.live("says how the agent ended, with its last words", () =>
    Effect.gen(function* () {
      const agent = yield* node("mortal agent", "-e", mortal)
      const client = yield* connect({ assemble: () => Effect.succeed({ agent, proxies: [] }) })
      const initialized = yield* initialize(client)
      const { pid } = JSON.parse("result" in initialized ? initialized.result : "null")
      const { code, data, message } = errorOf(yield* client.request("session/new"))
      assert.deepStrictEqual([code, message], [-32603, "mortal agent exited with code 7."])
      assert.deepStrictEqual(data, {
        reason: "Ended",
        component: "mortal agent",
        exitCode: 7,
        stderrTail: ["out of luck"]
      })
      assert.deepInclude(yield* client.ended, { component: "mortal agent", exitCode: 7 })
      assert.isFalse(lives(pid))
    })
  )

  it.live("says which program is not there", () =>
    Effect.gen(function* () {
      const proxies = [
        yield* node("arrow", standIn("arrow")),
        yield* program("no-such-program --x", "no-such-program", "--x")
      ]
      const agent = yield* node("eliza", standIn("eliza"))
      const client = yield* connect({ assemble: () => Effect.succeed({ agent, proxies }) })
      const { data, message } = errorOf(yield* initialize(client))
      assert.strictEqual(message, "no-such-program --x could not be started. There is no program no-such-program.")
      assert.deepStrictEqual(data, { reason: "NotStarted", component: "no-such-program --x" })
    })
  )

  it.live("takes an agent in a proxy's place for what it is", () =>
    Effect.gen(function* () {
      const proxies = [yield* node("an agent", standIn("eliza"))]
      const agent = yield* node("eliza", standIn("eliza"))
      const client = yield* connect({ assemble: () => Effect.succeed({ agent, proxies }) })
      assert.deepInclude(errorOf(yield* initialize(client)).data, { component: "an agent", reason: "NotAProxy" })
    })
  )

  it.live("says how the agent ended behind two proxies", () =>
    Effect.gen(function* () {
      const before = running()
      const client = yield* throughTwo(yield* node("mortal agent", "-e", mortal))
      yield* initialize(client)
      const { data, message } = errorOf(yield* client.request("session/new"))
      assert.strictEqual(message, "mortal agent exited with code 7.")
      assert.deepInclude(data, { reason: "Ended", component: "mortal agent", exitCode: 7 })
      assert.deepInclude(yield* client.ended, { component: "mortal agent", exitCode: 7 })
      assert.deepStrictEqual(running(), before)
    })
  )

  it.live("leaves no process when its client leaves in the middle of a prompt", () =>
    Effect.gen(function* () {
      const before = running()
      const client = yield* throughTwo(yield* node("endless agent", "-e", endless))
      yield* initialize(client)
      const answered = yield* Effect.forkChild(client.request("session/prompt", '{"sessionId":"s","prompt":[]}'))
      assert.include((yield* Queue.take(client.heard)).params, '">>begun"')
      assert.lengthOf(running(), before.length + 3)
      yield* client.connection.close
      assert.isUndefined(yield* client.ended)
      assert.property(yield* Fiber.join(answered), "closed")
      assert.deepStrictEqual(running(), before)
    })
  )
})
