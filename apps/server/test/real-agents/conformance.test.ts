/** What is seen of agents that are slow, want a login, or do otherwise than others: once as it is, and once as it would be right. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Setup } from "@signalbox/stand-in-agents/scripted/Script"
import { reportText } from "../../src/cli/conformance/ConformanceText.ts"
import { least, type Limits, paced } from "../../src/conformance/Limits.ts"
import { examine, type Program, seenOf } from "../support/Examined.ts"
import { scriptedMain } from "../support/ScriptedAgent.ts"
import { codexLoggedOut } from "./scenarios/codex-logged-out.ts"
import { opencodeEarly } from "./scenarios/opencode-early.ts"
import { piNoProgram } from "./scenarios/pi-no-program.ts"

const scripted = (setup: Setup): Program => ({
  command: process.execPath,
  args: [scriptedMain],
  env: { SCRIPTED_AGENT: JSON.stringify(setup) }
})

interface Wishes {
  /** Short times for what never comes in this test. What comes has its usual time: a machine may be busy. */
  readonly limits?: Partial<Limits>
  readonly only?: ReadonlyArray<string>
}

const look = (setup: Setup, { limits, only }: Wishes = {}) =>
  Effect.map(examine(scripted(setup), { limits: { commands: 0, ...limits }, only }), (report) => ({
    ...report,
    seen: seenOf(report.results),
    of: (probe: string) => report.results.find((result) => result.probe === probe)
  }))

describe("the limits of conformance", () => {
  it("are what is waited at least, and more for an agent that starts slowly", () => {
    assert.strictEqual(paced(least, 100).first, 5000)
    assert.strictEqual(paced(least, 10_000).first, 40_000)
    assert.strictEqual(paced(least, 10_000).whole, least.whole)
  })
})

describe.concurrent("a report of conformance", { timeout: 180_000 }, () => {
  it.live("takes a slow start for what it is, and what is never answered for a silence", () =>
    Effect.gen(function* () {
      const only = ["connection/before-initialize", "connection/future-version"]
      const limits = { first: "2 seconds", refusal: "2 seconds" } as const
      const [slow, silent] = yield* Effect.all(
        [look(opencodeEarly, { only }), look({ waitsForInitialize: true }, { limits, only })],
        { concurrency: 2 }
      )
      assert.strictEqual(slow.seen["connection/before-initialize"], "quirk: opens a session")
      assert.strictEqual(slow.seen["connection/future-version"], "holds: answers version 1")
      assert.strictEqual(silent.seen["connection/before-initialize"], "quirk: no answer")
      assert.strictEqual(silent.seen["connection/future-version"], "holds: answers version 1")
    })
  )

  it.live("takes the lack of a login for no refusal of anything else", () =>
    Effect.gen(function* () {
      const login = [
        "start/relative-folder",
        "start/missing-folder",
        "sessions/list-folder",
        "sessions/unknown",
        "settings/options",
        "connection/before-initialize"
      ]
      const { of, seen } = yield* look(codexLoggedOut, {
        only: [...login, "sessions/fork", "login/needed", "start/session"]
      })
      for (const probe of login) assert.strictEqual(seen[probe], "untried: it needs a sign-in", probe)
      assert.strictEqual(seen["sessions/fork"], "untried, as claimed: it needs a sign-in")
      assert.strictEqual(seen["login/needed"], "holds: needed for a session")
      assert.strictEqual(of("start/session")?.said, "Authentication required: sign in first")
    })
  )

  it.live("takes another refusal of a session for no sign that a login is not needed, and quotes it", () =>
    Effect.gen(function* () {
      const rest = ["login/needed", "start/relative-folder", "connection/before-initialize"]
      const { of, seen, ...report } = yield* look(piNoProgram, { only: ["start/session", ...rest] })
      assert.strictEqual(seen["start/session"], "broken: refused, -32603")
      assert.strictEqual(of("start/session")?.said, "Could not start pi: there is no such program")
      const printed = reportText(report, 200)
      assert.include(
        printed,
        "\n     It opens no session.\n     It says: Could not start pi: there is no such program\n"
      )
      assert.match(printed, /\n\d+ processes were started by this command: /)
      for (const probe of rest) assert.strictEqual(seen[probe], "untried: it opens no session")
    })
  )

  it.live("distinguishes folders that are refused from those that are taken", () =>
    Effect.gen(function* () {
      const only = ["start/relative-folder", "start/missing-folder"]
      const [careful, careless] = yield* Effect.all([look({ checksFolders: true }, { only }), look({}, { only })], {
        concurrency: 2
      })
      for (const probe of only) {
        assert.strictEqual(careful.seen[probe], "holds: refused, -32602")
        assert.strictEqual(careless.seen[probe], "quirk: opens a session")
      }
    })
  )

  it.live("says of what took too long that it was not tried", () =>
    Effect.gen(function* () {
      const setup: Setup = {
        initialize: { agentCapabilities: { loadSession: true, sessionCapabilities: { fork: {}, list: {} } } },
        silent: ["session/fork", "session/load", "session/list"]
      }
      const { of, results, seen } = yield* look(setup, { limits: { answer: "2 seconds" } })
      for (const probe of ["sessions/fork", "sessions/load", "sessions/list"])
        assert.strictEqual(seen[probe], "untried, as claimed: took too long")
      assert.match(of("sessions/fork")?.quirk ?? "", /^Nothing came for [\d.]+ seconds?\.$/)
      assert.deepStrictEqual(
        results.filter(({ verdict }) => verdict === "broken"),
        []
      )
    })
  )

  it.live("ends in time, and names what was not reached", () =>
    Effect.gen(function* () {
      const { results, seen } = yield* look({}, { limits: { whole: 0 } })
      assert.strictEqual(seen["end/terminated"], "untried: the time for all was over")
      assert.deepStrictEqual([...new Set(results.map(({ verdict }) => verdict))], ["untried"])
    })
  )

  it.live("holds a silence after a bad line against the agent where a new process answers", () =>
    Effect.gen(function* () {
      const { of, seen } = yield* look(
        { deafAfterNoise: true },
        { limits: { refusal: "1 second", answer: "2 seconds" }, only: ["connection/malformed", "start/session"] }
      )
      assert.strictEqual(seen["connection/malformed"], "broken: stops answering")
      assert.strictEqual(
        of("connection/malformed")?.quirk,
        "It does not get over it, while a new process of it answers."
      )
      // The next probe has a new process.
      assert.strictEqual(seen["start/session"], "holds: an id, no settings")
    })
  )

  it.live("says what it took to end it", () =>
    Effect.gen(function* () {
      const only = ["end/input", "end/terminated"]
      const [usual, stubborn] = yield* Effect.all(
        [look({}, { only }), look({ ignoreEof: true, ignoreSigterm: true }, { limits: { exit: "500 millis" }, only })],
        { concurrency: 2 }
      )
      assert.match(usual.seen["end/input"] ?? "", /^holds: exit code 0$/)
      assert.match(usual.seen["end/terminated"] ?? "", /^holds: signal SIGTERM$/)
      assert.match(
        usual.processes ?? "",
        /^\d+ processes were started by this command: .*ended when the input was closed/
      )
      assert.strictEqual(stubborn.seen["end/input"], "quirk: stays")
      assert.strictEqual(stubborn.seen["end/terminated"], "quirk: has to be killed")
      assert.match(stubborn.processes ?? "", /had to be ended by SIGKILL to the group, 2 seconds after SIGTERM/)
    })
  )

  it.live("distinguishes an agent that ends alone from one whose whole group has to be signalled", () =>
    Effect.gen(function* () {
      // The first process waits for another, which is the agent: so some start themselves again.
      const setup = JSON.stringify({})
      const first = `const child = require("node:child_process").spawn(process.execPath, [${JSON.stringify(scriptedMain)}], { stdio: "inherit" }); process.on("SIGTERM", () => {}); child.on("exit", () => process.exit(0))`
      const { results } = yield* examine(
        { command: process.execPath, args: ["-e", first], env: { SCRIPTED_AGENT: setup } },
        // The first process stays, and is waited for as long as usual: the other gets the same time.
        { only: ["end/terminated"] }
      )
      assert.strictEqual(seenOf(results)["end/terminated"], "quirk: with its group: exit code 0")
    })
  )
})
