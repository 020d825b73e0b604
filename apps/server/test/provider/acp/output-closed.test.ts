/** An agent that closes its output while its process lives on: nothing can be heard of it, and it is said to be that. */
import { assert, describe, it } from "@effect/vitest"
import { TurnId } from "@signalbox/contracts/Ids"
import * as Effect from "effect/Effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { thread, untilGone } from "../../support/AgentHarness.ts"
import { scripted } from "../../support/ScriptedAgent.ts"

/** Answers everything, and closes its output once it has answered `last`, or instead of answering `refuse`. */
const program = (closing: { readonly after?: string; readonly insteadOf?: string }) => `
  const { closeSync } = require("node:fs")
  const closing = ${JSON.stringify(closing)}
  const results = {
    initialize: { protocolVersion: 1, agentCapabilities: {}, authMethods: [] },
    "session/new": { sessionId: "one" }
  }
  console.error("my last words")
  require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method } = JSON.parse(line)
    if (method === closing.insteadOf) return closeSync(1)
    if (id !== undefined) require("node:fs").writeSync(1, JSON.stringify({ jsonrpc: "2.0", id, result: results[method] ?? {} }) + "\\n")
    if (method === closing.after) closeSync(1)
  })
  // It ends neither with its input nor when it is asked to.
  process.on("SIGTERM", () => {})
  setInterval(() => {}, 1000)
`

const agent = Effect.fnUntraced(function* (closing: Parameters<typeof program>[0]) {
  const harness = yield* scripted()
  const file = join(harness.folder, "agent.cjs")
  writeFileSync(file, program(closing))
  const start = harness.start({ providerOptions: { acp: { command: process.execPath, args: [file] } } })
  return { harness, start }
})

const prompt = { turnId: TurnId.make("t1"), prompt: [{ type: "text" as const, text: "hello" }] }

describe("an agent that closes its output", () => {
  it.live("in a turn fails it by that name, and its process is ended", () =>
    Effect.gen(function* () {
      const { harness, start } = yield* agent({ insteadOf: "session/prompt" })
      yield* start
      const { pid = 0 } = yield* harness.next("session.started")
      const { problem } = yield* harness.turn("t1", "hello")
      assert.strictEqual(problem?.code, "agent-output-closed")
      assert.match(problem?.title ?? "", /closed its output and went on running\.$/)
      assert.include(problem?.cause ?? "", "my last words")
      assert.strictEqual(problem?.nextSteps[0]?.action, "restart")
      assert.strictEqual(problem?.evidence.signal, "SIGKILL")
      yield* untilGone(pid)
    })
  )

  it.live("between turns is no session that was never there: the next prompt is told why it did not arrive", () =>
    Effect.gen(function* () {
      const { harness, start } = yield* agent({ after: "session/new" })
      yield* start
      // Until it is known here that nothing comes any more.
      yield* Effect.repeat(harness.adapter.listSessions, { until: (sessions) => sessions.length === 0 })
      const { problem } = yield* Effect.flip(harness.adapter.sendTurn(thread, prompt))
      assert.strictEqual(problem.code, "agent-output-closed")
      const exited = yield* harness.next("session.exited")
      assert.strictEqual(exited.problem?.code, "agent-output-closed")
      // Once it is gone, there is none.
      const later = yield* Effect.flip(harness.adapter.sendTurn(thread, prompt))
      assert.include(["session-not-found", "agent-output-closed"], later.problem.code)
    })
  )

  it.live("before there is a session does not start, for that reason", () =>
    Effect.gen(function* () {
      for (const insteadOf of ["initialize", "session/new"]) {
        const { start } = yield* agent({ insteadOf })
        const { problem } = yield* Effect.flip(start)
        assert.strictEqual(problem.code, "agent-output-closed", insteadOf)
        assert.include(problem.cause, "my last words")
      }
    })
  )
})
