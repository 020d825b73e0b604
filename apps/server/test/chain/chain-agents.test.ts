/** The agents that components may stand before: Cursor, one that runs elsewhere, and one of version 2 of the protocol. */
import { assert, describe, it } from "@effect/vitest"
import type { ChainComponent } from "@signalbox/contracts/ChainConfig"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { fileURLToPath } from "node:url"
import { agentHarness, cursorHarness, type Harness, thread } from "../support/AgentHarness.ts"
import * as FarAgent from "../support/FarAgent.ts"
import { scriptedMain, seen } from "../support/ScriptedAgent.ts"
import { programOf } from "../../../../scripts/suite/Program.ts"

const components: ReadonlyArray<ChainComponent> = [
  { component: "pass" },
  {
    command: process.execPath,
    args: [programOf(new URL("../../../../packages/stand-in-agents/src/arrow/main.ts", import.meta.url))],
    name: "arrow"
  }
]

const partsOf = (agent: Harness) =>
  agent
    .of("session.started")
    .at(-1)
    ?.chain?.map(({ name, role }) => `${role} ${name}`)

describe("components", () => {
  it.live("stand before Cursor, which is stopped and resumed through them", () =>
    Effect.gen(function* () {
      const agent = yield* cursorHarness()
      const providerOptions = { components }
      const { resumeToken } = yield* agent.start({ providerOptions })
      assert.deepStrictEqual(partsOf(agent)?.slice(0, 2), ["component pass", "component arrow"])
      const { outcome, problem } = yield* agent.turn("t1", "Hello")
      assert.strictEqual(outcome, "completed", problem?.cause)
      assert.include((yield* seen(agent)).join("\n"), ">")
      yield* agent.adapter.stopSession(thread)
      yield* agent.start({ providerOptions, resume: resumeToken })
      assert.strictEqual(agent.of("session.started").at(-1)?.origin, "loaded")
      yield* agent.adapter.stopSession(thread)
    }).pipe(Effect.scoped)
  )

  it.live("stand before an agent that runs elsewhere; a lost connection is its own end", () =>
    Effect.gen(function* () {
      const far = yield* FarAgent.serve([scriptedMain])
      const agent = yield* agentHarness("", [])
      yield* agent.start({ providerOptions: { acp: { url: far.url }, components } })
      assert.strictEqual(partsOf(agent)?.at(-1), "agent Agent")
      assert.strictEqual((yield* agent.turn("t1", JSON.stringify([{ text: "Hello" }]))).outcome, "completed")
      assert.deepStrictEqual(yield* seen(agent), ["says: >Hello"])
      const turn = yield* Effect.forkScoped(agent.turn("t2", JSON.stringify([{ text: "More" }, { wait: 60_000 }])))
      yield* agent.next("message.delta", ({ turnId }) => turnId === "t2")
      far.breakOff()
      const { problem } = yield* Fiber.join(turn)
      assert.include(problem?.title, "The connection to Agent is gone.")
    }).pipe(Effect.scoped)
  )

  it.live("stand before an agent of version 2 of the protocol", () =>
    Effect.gen(function* () {
      const main = fileURLToPath(new URL("../../../../packages/acp/test/fixtures/sdk-v2-agent.mjs", import.meta.url))
      const agent = yield* agentHarness("", [])
      const acp = { command: process.execPath, args: [main], protocol: 2 as const }
      yield* agent.start({ providerOptions: { acp, components: [{ component: "pass" }] } })
      const { outcome, problem } = yield* agent.turn("t1", "flood")
      assert.strictEqual(outcome, "completed", problem?.cause)
      // The adapter keeps the latest events only: the whole is in what it has emitted.
      const said = agent.of("message.delta").map(({ text }) => text)
      assert.strictEqual(said.join(""), Array.from({ length: 2000 }, (_, at) => String(at)).join(""))
      yield* agent.adapter.stopSession(thread)
    }).pipe(Effect.scoped)
  )
})
