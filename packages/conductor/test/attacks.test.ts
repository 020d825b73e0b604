/** Agents that do harm on the wire or to themselves: the client gets an answer, its cause is named, and no process is left. */
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import { connect, errorOf, initialize, proxy } from "./Parts.ts"
import { node, running } from "./Programs.ts"

/** An agent that answers initialize, and does this with each other message. */
const agentThat = (body: string) =>
  node(
    "agent",
    "-e",
    `const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n")
     require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
       const { id, method } = JSON.parse(line)
       if (method === "initialize") return say({ id, result: { protocolVersion: 1 } })
       ${body}
     })`
  )

/** What an agent does at a request, and how the client hears of it. */
const fatal: ReadonlyArray<
  readonly [what: string, body: string, message: string | RegExp, data: { readonly [name: string]: unknown }]
> = [
  [
    "dies in the middle of a line",
    `process.stdout.write('{"jsonrpc":"2.0","id":' + id + ',"result":{"a', () => process.exit(5))`,
    "agent exited with code 5.",
    { reason: "Ended", component: "agent", exitCode: 5 }
  ],
  [
    "closes its output and lives on, deaf to signals",
    `process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); require("node:fs").closeSync(1)`,
    /^agent closed its connection and goes on running/,
    { reason: "Ended", component: "agent" }
  ],
  [
    "dies, and leaves a program behind that holds its output",
    `require("node:child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "inherit" }).on("spawn", () => process.exit(6))`,
    "agent exited with code 6.",
    { reason: "Ended", component: "agent", exitCode: 6 }
  ]
]

/** Messages that answer nothing in a way that can be used, by what the client gets. */
const survived: ReadonlyArray<readonly [what: string, body: string, expected: string | number]> = [
  ["a response that is not JSON", `console.log('{"jsonrpc":"2.0","id":' + id + ',"result":{broken}}')`, -32600],
  ["a response without result and error", "say({ id })", -32600],
  ["a response that is too long", `say({ id, result: "x".repeat(33 * 1024 * 1024) })`, -32600],
  [
    "responses to nobody",
    `for (const other of [999, "x", null, 1.5]) say({ id: other, result: 1 }); say({ id, result: "fine" })`,
    '"fine"'
  ],
  [
    "three responses to one request",
    `say({ id, result: "first" }); say({ id, result: "second" }); say({ id, error: {} })`,
    '"first"'
  ],
  ["a line that is too long", `console.log("x".repeat(33 * 1024 * 1024)); say({ id, result: "fine" })`, '"fine"']
]

describe("An agent behind a proxy", () => {
  for (const [what, body, message, data] of fatal)
    it.live(`is named when it ${what}, and nothing of it is left`, () =>
      Effect.gen(function* () {
        const before = running()
        const client = yield* connect({
          assemble: () => Effect.map(agentThat(body), (agent) => ({ agent, proxies: [proxy("proxy")] }))
        })
        yield* initialize(client)
        const error = errorOf(yield* client.request("_x", "{}"))
        if (typeof message === "string") assert.strictEqual(error.message, message)
        else assert.match(error.message, message)
        assert.deepInclude(error.data, data)
        assert.deepInclude(yield* client.ended, { component: "agent" })
        assert.deepStrictEqual(running(), before)
      })
    )

  for (const [what, body, expected] of survived)
    it.live(`may write ${what}: it is reported with its name, and the chain goes on`, () =>
      Effect.gen(function* () {
        const reported = yield* Deferred.make<string>()
        const client = yield* connect({
          assemble: () => Effect.map(agentThat(body), (agent) => ({ agent, proxies: [proxy("proxy")] })),
          onIssue: (from) => void Deferred.doneUnsafe(reported, Effect.succeed(from))
        })
        yield* initialize(client)
        for (const _ of [1, 2]) {
          const settled = yield* client.request("_x", "{}")
          if (typeof expected === "number") assert.strictEqual(errorOf(settled).code, expected)
          else assert.deepStrictEqual(settled, { result: expected })
        }
        assert.strictEqual(yield* Deferred.await(reported), "agent")
      })
    )

  it.live("that is stopped in the middle of a request ends with its client", () =>
    Effect.gen(function* () {
      const before = running()
      const agent = yield* agentThat(
        `say({ method: "_stops" }); setImmediate(() => process.kill(process.pid, "SIGSTOP"))`
      )
      const client = yield* connect({ assemble: () => Effect.succeed({ agent, proxies: [proxy("proxy")] }) })
      yield* initialize(client)
      client.connection.request({ side: "client", method: "_x", params: "{}" }, () => {})
      yield* Queue.take(client.heard)
      yield* client.connection.close
      assert.isUndefined(yield* client.ended)
      assert.deepStrictEqual(running(), before)
    })
  )
})
