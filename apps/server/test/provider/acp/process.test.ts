/** What an agent's process is given on its stdin, and how it is ended. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { join } from "node:path"
import { temporaryFolder, thread } from "../../support/AgentHarness.ts"
import { play, scripted, told } from "../../support/ScriptedAgent.ts"

describe("the stdin of an agent", () => {
  it.live("[19] takes messages and nothing else, the first of them initialize", () =>
    Effect.gen(function* () {
      const log = join(yield* temporaryFolder, "log")
      const agent = yield* scripted({}, { env: { SCRIPTED_AGENT_LOG: log } })
      yield* agent.start()
      yield* play(agent, "t1", { request: { method: "vendor/unheard_of", params: {} } }, { text: "done" })
      yield* agent.adapter.stopSession(thread)
      const messages = told(log)
      assert.strictEqual(messages[0]?.method, "initialize")
      assert.includeMembers(
        messages.map(({ method }) => method),
        ["session/new", "session/prompt"]
      )
      for (const message of messages) {
        assert.strictEqual(message["jsonrpc"], "2.0")
        assert.isTrue("method" in message || "error" in message || "result" in message, JSON.stringify(message))
      }
    })
  )

  it.live("[28][29] asks for all that agents send to those alone who ask: what is shown here", () =>
    Effect.gen(function* () {
      const log = join(yield* temporaryFolder, "log")
      const agent = yield* scripted({}, { env: { SCRIPTED_AGENT_LOG: log } })
      yield* agent.start()
      assert.deepNestedInclude(told(log)[0], {
        "params.clientCapabilities.session": { configOptions: { boolean: {} }, notices: {}, compaction: {} },
        "params.clientCapabilities.plan": {},
        "params.clientCapabilities.subagents": {}
      })
    })
  )
})

describe("the end of an agent", () => {
  const stopped = Effect.fnUntraced(function* (
    setup: object,
    stop: { readonly closeInput: `${number} millis`; readonly terminate: `${number} millis` }
  ) {
    const agent = yield* scripted(setup, { timing: { stop } })
    yield* agent.start()
    yield* agent.adapter.stopSession(thread)
    const { exitCode, expected, signal } = yield* agent.next("session.exited")
    assert.isTrue(expected)
    return { exitCode, signal }
  })
  const patient = { closeInput: "20000 millis", terminate: "20000 millis" } as const

  it.live("[19] begins with the end of its stdin: most need no more", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* stopped({}, patient), { exitCode: 0, signal: undefined })
    })
  )

  it.live("[19] goes on with SIGTERM for one that stays", () =>
    Effect.gen(function* () {
      const ended = yield* stopped({ ignoreEof: true }, { ...patient, closeInput: "50 millis" })
      assert.deepStrictEqual(ended, { exitCode: undefined, signal: "SIGTERM" })
    })
  )

  it.live("[19] is SIGKILL for one that ignores that too", () =>
    Effect.gen(function* () {
      const tough = { ignoreEof: true, ignoreSigterm: true }
      const short = { closeInput: "50 millis", terminate: "50 millis" } as const
      assert.deepStrictEqual(yield* stopped(tough, short), { exitCode: undefined, signal: "SIGKILL" })
    })
  )
})
