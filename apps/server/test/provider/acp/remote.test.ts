/** Agents that run elsewhere, under the same adapter as those that are processes of ours. */
import { assert, describe, it } from "@effect/vitest"
import type { AcpOptions } from "@signalbox/contracts/Provider"
import { TurnId } from "@signalbox/contracts/Ids"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { Harness } from "../../support/AgentHarness.ts"
import { thread } from "../../support/AgentHarness.ts"
import * as FarAgent from "../../support/FarAgent.ts"
import { play, scripted, scriptedMain, seen } from "../../support/ScriptedAgent.ts"

/** A session with it. */
const startAt = (agent: Harness, acp: AcpOptions) => agent.start({ providerOptions: { acp } })

describe("an agent that runs elsewhere", () => {
  it.live("is talked to as any other, with the credentials of its settings, and has no process here", () =>
    Effect.gen(function* () {
      const far = yield* FarAgent.serve([scriptedMain], {}, "Bearer secret")
      const agent = yield* scripted()
      yield* startAt(agent, { url: far.url, headers: { authorization: "Bearer secret" } })
      assert.strictEqual((yield* play(agent, "t1", { thought: "hm" }, { text: "hello" })).outcome, "completed")
      assert.deepEqual(yield* seen(agent), ["thinks: hm", "says: hello"])
      assert.isUndefined(agent.of("session.started")[0]?.pid)
      const [health] = yield* agent.adapter.health
      assert.deepEqual([health?.pid, health?.pipes, health?.state], [undefined, "open", "ready"])
      assert.isAbove(health?.lastSignAt ?? 0, health?.startedAt ?? Infinity)
      yield* agent.adapter.stopSession(thread)
      assert.isTrue(agent.of("session.exited")[0]?.expected)
      assert.isFalse(yield* agent.adapter.hasSession(thread))
    }).pipe(Effect.scoped)
  )

  it.live("that stops when it is told to is stopped, and takes the next prompt", () =>
    Effect.gen(function* () {
      const far = yield* FarAgent.serve([scriptedMain])
      const agent = yield* scripted()
      yield* startAt(agent, { url: far.url })
      const turn = yield* Effect.forkChild(play(agent, "t1", { text: "working" }, { waitForCancel: true }))
      yield* agent.next("message.delta")
      yield* agent.adapter.interruptTurn(thread, TurnId.make("t1"))
      assert.strictEqual((yield* Fiber.join(turn)).outcome, "cancelled")
      assert.strictEqual((yield* play(agent, "t2", { text: "next" })).outcome, "completed")
    }).pipe(Effect.scoped)
  )

  it.live.each([
    ["breaks off", (far: FarAgent.FarAgent) => far.breakOff(), /There is no connection to ws:\S+/],
    ["is closed by the server", (far: FarAgent.FarAgent) => far.close(1000, ""), /The server ended the connection/],
    ["is closed with a reason", (far: FarAgent.FarAgent) => far.close(1011, "out of memory"), /out of memory/]
  ] as const)("whose connection %s in a turn is told so, and the next session works", ([, end, words]) =>
    Effect.gen(function* () {
      const far = yield* FarAgent.serve([scriptedMain])
      const agent = yield* scripted()
      yield* startAt(agent, { url: far.url })
      const turn = yield* Effect.forkChild(play(agent, "t1", { text: "so far" }, { waitForCancel: true }))
      yield* agent.next("message.delta")
      end(far)
      const { outcome, problem } = yield* Fiber.join(turn)
      assert.deepEqual(
        [outcome, problem?.code, problem?.title],
        ["failed", "agent-exited", "The connection to Agent is gone."]
      )
      assert.match(problem?.cause ?? "", words)
      yield* agent.next("session.exited")
      yield* startAt(agent, { url: far.url })
      assert.strictEqual((yield* play(agent, "t2", { text: "again" })).outcome, "completed")
    }).pipe(Effect.scoped)
  )

  it.live("that can't be reached, does not know us or is not there is reported with its address", () =>
    Effect.gen(function* () {
      const far = yield* FarAgent.serve([scriptedMain], {}, "Bearer secret")
      const agent = yield* scripted()
      const http = far.url.replace("ws:", "http:")
      const causes = yield* Effect.forEach(
        [{ url: "ws://127.0.0.1:1/acp" }, { url: "http://127.0.0.1:1/acp" }, { url: far.url }, { url: http }],
        (acp) => Effect.map(Effect.flip(startAt(agent, acp)), ({ problem }) => `${problem.code}: ${problem.cause}`)
      )
      assert.match(causes[0] ?? "", /^agent-start-failed: There is no connection to ws:\/\/127\.0\.0\.1:1\/acp/)
      assert.match(causes[1] ?? "", /^agent-start-failed: There is no connection to http:\/\/127\.0\.0\.1:1\/acp/)
      assert.match(causes[2] ?? "", /^agent-start-failed: .*127\.0\.0\.1/)
      assert.match(causes[3] ?? "", /^agent-start-failed: The server at http:\S+ does not know this address.*404/)
      assert.notInclude(causes.join(), "secret")
      assert.isFalse(yield* agent.adapter.hasSession(thread))
    }).pipe(Effect.scoped)
  )

  it.live.each(["ws://127.0.0.1:1/acp?token=s3cr3t-word", "http://me:s3cr3t-word@127.0.0.1:1/acp"])(
    "that can't be reached at an address with a login in it is told so without the login: %s",
    (url) =>
      Effect.gen(function* () {
        const { problem } = yield* Effect.flip(startAt(yield* scripted(), { url }))
        assert.include(problem.cause, "127.0.0.1:1/acp")
        assert.notInclude(JSON.stringify(problem), "s3cr3t-word")
      }).pipe(Effect.scoped)
  )
})
