/** What agents are seen to do of the protocol, each a real process: mostly it is waited for, side by side. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { randomUUID } from "node:crypto"
import { fileURLToPath } from "node:url"
import { find } from "@signalbox/process/MarkedProcesses"
import { emulator } from "../support/AgentHarness.ts"
import { elizaMain, examine, type Program, seenOf } from "../support/Examined.ts"
import * as Keeper from "../support/Keeper.ts"
import { scriptedMain } from "../support/ScriptedAgent.ts"

const sdkMain = fileURLToPath(new URL("../../../../packages/acp/test/fixtures/sdk-agent.mjs", import.meta.url))

/** None of these agents lists commands, so the probe must not wait for them. */
const withoutCommands = { limits: { commands: 0 } }
/** The time limit for a response that an agent is known never to send. */
const never = "100 millis"

const scripted = (setup: object): Program => ({
  command: process.execPath,
  args: [scriptedMain],
  env: { SCRIPTED_AGENT: JSON.stringify(setup) }
})

describe.concurrent("an agent that is looked over", { timeout: 180_000 }, () => {
  it.live("is one that keeps its word, and distinguishes batches from lines that are no JSON", () =>
    Effect.gen(function* () {
      const { agent, results } = yield* examine({ command: process.execPath, args: [elizaMain] }, withoutCommands)
      const eliza = seenOf(results)
      assert.deepStrictEqual(agent, { name: "eliza", version: "0.1.0" })
      assert.strictEqual(eliza["connection/batch"], "holds: refused, -32600")
      assert.strictEqual(eliza["connection/big-id"], "holds: comes back as it was")
      assert.strictEqual(eliza["sessions/load"], "holds, as claimed: works")
      assert.strictEqual(eliza["sessions/resume"], "holds, not claimed: refused, -32601")
      assert.deepStrictEqual(
        results.filter(({ model }) => model),
        []
      )
    })
  )

  it.live("is one built on the official SDK", () =>
    Effect.gen(function* () {
      const sdk = seenOf((yield* examine({ command: process.execPath, args: [sdkMain] }, withoutCommands)).results)
      assert.strictEqual(sdk["connection/malformed"], "holds: refused, -32700")
      assert.strictEqual(sdk["connection/batch"], "holds: refused, -32600")
      assert.strictEqual(sdk["sessions/list"], "holds, as claimed: works, in 2 pages")
      assert.strictEqual(sdk["sessions/close"], "holds, as claimed: works")
      assert.strictEqual(sdk["settings/same"], "broken: model: refused, -32601")
    })
  )

  it.live("claims what it does not know", () =>
    Effect.gen(function* () {
      const sessionCapabilities = { resume: {}, close: {}, list: {} }
      const lies = scripted({ initialize: { agentCapabilities: { loadSession: false, sessionCapabilities } } })
      const { results } = yield* examine(lies, withoutCommands)
      const seen = seenOf(results)
      for (const name of ["resume", "close", "list"]) {
        assert.strictEqual(seen[`sessions/${name}`], "broken, as claimed: refused, -32601")
      }
      assert.strictEqual(seen["sessions/load"], "holds, not claimed: refused, -32601")
      assert.strictEqual(
        results.find(({ probe }) => probe === "sessions/resume")?.quirk,
        "It says that it can, and does not know the method."
      )
    })
  )

  it.live("goes on to be looked over after it fell over a line, and deletes the sessions that were made", () =>
    Effect.gen(function* () {
      const offers = { session: Keeper.everything, load: true, auth: { status: {}, logout: {} } }
      const keeper = yield* Keeper.make({ offers })
      const { results } = yield* examine(
        { command: process.execPath, args: [Keeper.program], env: keeper.env },
        withoutCommands
      )
      const seen = seenOf(results)
      assert.strictEqual(seen["connection/malformed"], "broken: ends")
      for (const name of ["load", "resume", "fork", "title", "archive", "close", "delete"]) {
        assert.strictEqual(seen[`sessions/${name}`], "holds, as claimed: works")
      }
      assert.strictEqual(seen["login/logout"], "untried, as claimed: it would sign you out")
      assert.deepStrictEqual(keeper.state().sessions, [])
    }).pipe(Effect.scoped)
  )

  it.live("never answers a session/new: the rest is looked over without it", () =>
    Effect.gen(function* () {
      const env = { FAKE_CURSOR_QUIRKS: "hang_new", FAKE_CURSOR_TIME_SCALE: "0" }
      const { results } = yield* examine(
        { command: emulator, args: ["acp"], env },
        {
          limits: { session: never, first: never, answer: never },
          only: ["start/session", "sessions/load", "end/terminated"]
        }
      )
      const seen = seenOf(results)
      assert.strictEqual(seen["start/session"], "untried: took too long")
      assert.strictEqual(seen["sessions/load"], "untried, as claimed: a session took too long")
      assert.strictEqual(seen["end/terminated"], "holds: exit code 143")
    })
  )

  it.live("leaves a process behind, which is reported and ended", () =>
    Effect.gen(function* () {
      const name = randomUUID()
      const agent = scripted({ beforeNewSession: [{ daemon: true }] })
      const { results } = yield* examine(
        { ...agent, env: { ...agent.env, LEFT_BEHIND: name } },
        { only: ["end/processes"] }
      )
      assert.strictEqual(seenOf(results)["end/processes"], "quirk: leaves 1 behind")
      const left = () => find(`LEFT_BEHIND=${name}`)
      yield* Effect.sync(left).pipe(
        Effect.repeat({ until: (rows) => rows.length === 0, schedule: Schedule.spaced("20 millis") }),
        Effect.timeout("60 seconds")
      )
    })
  )

  it.live("is not there", () =>
    Effect.gen(function* () {
      const { problem } = yield* Effect.flip(examine({ command: "/nowhere/agent", args: [] }))
      assert.strictEqual(problem.code, "agent-not-found")
    })
  )
})
