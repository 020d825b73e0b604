/** The build component with a client that has terminals: commands run there, and nowhere else. */
import { RpcError } from "@signalbox/acp/JsonRpc"
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { realpathSync } from "node:fs"
import { ways } from "../../BothWays.ts"
import { javascript, start } from "./Chains.ts"
import * as Lifeline from "./Lifeline.ts"
import * as TerminalClient from "./TerminalClient.ts"

for (const { make, title } of ways)
  describe(`build with a client that has terminals, ${title}`, () => {
    it.live("runs a command in a terminal of the client, by its words, and gives the terminal back", () =>
      Effect.gen(function* () {
        const client = TerminalClient.make()
        const code = "console.log(process.cwd()); process.exitCode = 3"
        const { folder, resultOf, sessionId } = yield* start(javascript("test", code), {
          make,
          before: [client.component]
        })
        const result = yield* resultOf("test")
        assert.deepInclude(result, {
          exitCode: 3,
          timedOut: false,
          output: `${realpathSync(folder)}\n`,
          ranIn: "client-terminal",
          notes: []
        })
        assert.deepStrictEqual(client.methods(), [
          "terminal/create",
          "terminal/wait_for_exit",
          "terminal/output",
          "terminal/release"
        ])
        assert.deepStrictEqual(client.asked[0]?.params, {
          sessionId,
          command: process.execPath,
          args: ["-e", code],
          env: [],
          cwd: folder,
          outputByteLimit: 1_048_576
        })
        assert.strictEqual(client.open(), 0)
      })
    )
  })

describe("A command in a terminal of the client", () => {
  it.live("that the client refuses is not run in another way", () =>
    Effect.gen(function* () {
      const life = yield* Lifeline.make
      const client = TerminalClient.make({ allow: Effect.fail(RpcError.invalidParams("A rule denies it.")) })
      const { run } = yield* start(javascript("test", life.code), { before: [client.component] })
      assert.match((yield* run("test")).said, /^ERROR: .*The client did not run .*: A rule denies it\./)
      assert.deepStrictEqual(life.listed(), [])
      assert.deepStrictEqual(client.methods(), ["terminal/create"])
    })
  )

  it.live("that takes too long is killed there, and what it wrote is kept", () =>
    Effect.gen(function* () {
      const life = yield* Lifeline.make
      const client = TerminalClient.make()
      const args = [...javascript("hang", `console.log("working");${life.code}`), "--timeout", "1"]
      const { resultOf } = yield* start(args, { before: [client.component] })
      const result = yield* resultOf("hang")
      assert.deepInclude(result, { timedOut: true, signal: "SIGKILL", output: "working\n" })
      yield* life.gone
      assert.include(client.methods(), "terminal/kill")
      assert.strictEqual(client.open(), 0)
    })
  )

  it.live("ends when its session is cancelled", () =>
    Effect.gen(function* () {
      const life = yield* Lifeline.make
      const client = TerminalClient.make()
      const chain = yield* start(javascript("hang", life.code), { before: [client.component] })
      const running = yield* Effect.forkScoped(chain.run("hang"))
      yield* life.begun
      const params = JSON.stringify({ sessionId: chain.sessionId })
      chain.client.connection.notify({ side: "client", method: "session/cancel", params })
      yield* life.gone
      yield* client.released
      assert.deepStrictEqual(life.listed(), [])
      yield* Fiber.interrupt(running)
    })
  )

  it.live("that the client starts after its call was cancelled is ended", () =>
    Effect.gen(function* () {
      const life = yield* Lifeline.make
      const [asked, allowed] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const client = TerminalClient.make({
        allow: Effect.andThen(Deferred.succeed(asked, undefined), Deferred.await(allowed))
      })
      const chain = yield* start(javascript("hang", life.code), { before: [client.component] })
      const running = yield* Effect.forkScoped(chain.run("hang"))
      yield* Deferred.await(asked)
      const params = JSON.stringify({ sessionId: chain.sessionId })
      chain.client.connection.notify({ side: "client", method: "session/cancel", params })
      yield* Fiber.join(running)
      yield* Deferred.succeed(allowed, undefined)
      yield* client.released
      assert.deepStrictEqual(life.listed(), [])
      assert.strictEqual(client.open(), 0)
    })
  )

  it.live("whose output the client has cut is marked", () =>
    Effect.gen(function* () {
      const client = TerminalClient.make({ output: { output: "the end\n", truncated: true } })
      const { resultOf } = yield* start(javascript("test", "1"), { before: [client.component] })
      const { notes, output } = yield* resultOf("test")
      assert.strictEqual(output, "the end\n")
      assert.deepStrictEqual(notes, ["The client has not kept the beginning of the output."])
    })
  )

  it.live("about which the client answers something malformed is an error, and its terminal is given back", () =>
    Effect.gen(function* () {
      const client = TerminalClient.make({ output: { output: 7 } })
      const { run } = yield* start(javascript("test", "1"), { before: [client.component] })
      assert.match((yield* run("test")).said, /^ERROR: .*The client has no output of /)
      assert.strictEqual(client.open(), 0)
    })
  )
})
