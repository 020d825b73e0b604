/** The program that the bridge gives to agents which take programs only, started as an agent starts it. */
import { assert, describe, it } from "@effect/vitest"
import type { McpHandler } from "@signalbox/acp/McpProvider"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { agents, open, rpc } from "./BridgeParts.ts"
import { meta } from "./McpParts.ts"

/** The program, with what it writes line by line, and its end. It is killed when the scope closes. */
const start = Effect.fnUntraced(function* (handler: McpHandler, more: { readonly [name: string]: string } = {}) {
  const { client, given } = yield* open(handler, agents.stdio)
  const { mcpServers } = JSON.parse(yield* given)
  const { args, command, env } = mcpServers[0]
  const variables = Object.fromEntries(env.map(({ name, value }: { name: string; value: string }) => [name, value]))
  const program = yield* Effect.acquireRelease(
    Effect.sync(() => spawn(command, args, { env: { ...variables, ...more }, stdio: "pipe" })),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )
  const lines = yield* Queue.unbounded<string>()
  createInterface({ input: program.stdout }).on("line", (line) => Queue.offerUnsafe(lines, line))
  const errors = yield* Deferred.make<string>()
  const exited = yield* Deferred.make<number | null>()
  let text = ""
  program.stderr.on("data", (part) => (text += String(part)))
  program.stderr.on("end", () => Deferred.doneUnsafe(errors, Effect.succeed(text)))
  program.on("exit", (code) => Deferred.doneUnsafe(exited, Effect.succeed(code)))
  const say = (line: string) => Effect.sync(() => void program.stdin.write(`${line}\n`))
  const next = Effect.map(Queue.take(lines), (line) => JSON.parse(line))
  return { client, program, say, next, errors: Deferred.await(errors), exited: Deferred.await(exited) }
})

const cancel = (id: string) =>
  JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } })

describe("The bridge as a program", () => {
  it.live("[122] ends without an error when its input has ended, behind the last answer", () =>
    Effect.gen(function* () {
      const { exited, next, program } = yield* start(({ method }) => Effect.succeed({ method }))
      // A last line needs no line break.
      program.stdin.end(rpc("tools/list"))
      assert.deepInclude(yield* next, { id: 1, result: { method: "tools/list" } })
      assert.strictEqual(yield* exited, 0)
    })
  )

  it.live("ends when the chain ends", () =>
    Effect.gen(function* () {
      const { client, exited, next, say } = yield* start(() => Effect.succeed({}))
      yield* say(rpc("ping"))
      yield* next
      yield* client.connection.close
      yield* client.ended
      assert.isNumber(yield* exited)
    })
  )

  it.live("reports that nobody reads it any more, and ends with an error", () =>
    Effect.gen(function* () {
      const { errors, exited, next, program, say } = yield* start(() => Effect.succeed({}))
      yield* say(rpc("ping"))
      yield* next
      program.stdout.destroy()
      yield* say(rpc("ping"))
      assert.strictEqual(yield* exited, 1)
      assert.match(yield* errors, /^Signalbox's MCP bridge: write E/m)
    })
  )

  it.live("reports a wrong token, and ends with an error", () =>
    Effect.gen(function* () {
      const { errors, exited } = yield* start(() => Effect.succeed({}), { SIGNALBOX_MCP_TOKEN: "wrong" })
      assert.strictEqual(yield* exited, 1)
      assert.match(yield* errors, /status 401/)
    })
  )

  it.live.each<readonly [string, object]>([
    ["classic MCP", {}],
    ["MCP 2026-07-28", { _meta: meta }]
  ])("stops what is cancelled in %s, and refuses an id that is in use", ([, params]) =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<void>()
      const stopped = yield* Deferred.make<void>()
      const { next, say } = yield* start(() =>
        Deferred.succeed(begun, undefined).pipe(
          Effect.andThen(Effect.never),
          Effect.onInterrupt(() => Deferred.succeed(stopped, undefined))
        )
      )
      yield* say(rpc("tools/call", params, "a"))
      yield* Deferred.await(begun)
      yield* say(rpc("tools/call", params, "a"))
      assert.strictEqual((yield* next).error.code, -32_600)
      yield* say(cancel("a"))
      yield* Deferred.await(stopped)
      assert.strictEqual((yield* next).error.code, -32_800)
    })
  )

  it.live("goes on behind a line that is no message, or longer than 1 MiB", () =>
    Effect.gen(function* () {
      const { next, say } = yield* start(() => Effect.succeed({}))
      yield* say("{oops")
      assert.strictEqual((yield* next).error.code, -32_700)
      yield* say(rpc("x", { text: "x".repeat(1024 * 1024) }, 7))
      assert.deepInclude(yield* next, { id: 7, error: { code: -32_600, message: "The message is too long" } })
      // The official SDK writes the id as the last member.
      yield* say(`{"method":"x","params":{"text":"${"x".repeat(1024 * 1024)}"},"jsonrpc":"2.0","id":8}`)
      assert.deepInclude(yield* next, { id: 8, error: { code: -32_600, message: "The message is too long" } })
      yield* say(rpc("ping", {}, 2))
      assert.deepInclude(yield* next, { id: 2, result: {} })
    })
  )
})
