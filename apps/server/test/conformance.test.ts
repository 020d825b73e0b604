/** What agents are seen to do of the protocol, each a real process. */
import { ConformanceReport, type ProbeResult } from "@signalbox/contracts/Conformance"
import { ProviderId } from "@signalbox/contracts/Provider"
import { SignalboxRpc } from "@signalbox/contracts/Rpc"
import { assert, describe, it } from "@effect/vitest"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as RpcClient from "effect/rpc/RpcClient"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { randomUUID } from "node:crypto"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { reportText } from "../src/cli/ConformanceText.ts"
import * as Examination from "../src/conformance/Examination.ts"
import { GenericProfile } from "../src/provider/acp/GenericProfile.ts"
import { ofThisSystem } from "../src/provider/acp/ProcessFacts.ts"
import * as ProcessLedgerLayer from "../src/provider/Layers/ProcessLedger.ts"
import { ProcessLedger } from "../src/provider/Services/ProcessLedger.ts"
import * as CursorProfile from "../src/provider/cursor/CursorProfile.ts"
import { connect, reachable } from "./cli-support/Conversation.ts"
import { call, groupEnds, start, temporaryFolder as temporaryDirectory } from "./cli-support/Signalbox.ts"
import { emulator, temporaryFolder } from "./support/AgentHarness.ts"
import * as Keeper from "./support/Keeper.ts"
import { scriptedMain } from "./support/ScriptedAgent.ts"

const sdkMain = fileURLToPath(new URL("../../../packages/acp/test/fixtures/sdk-agent.mjs", import.meta.url))
const elizaMain = fileURLToPath(new URL("../../../packages/stand-in-agents/src/eliza/main.ts", import.meta.url))

interface Program {
  readonly command: string
  readonly args: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>>
}

type Wishes = Partial<Pick<Examination.Options, "limits" | "model" | "profile">>

const decodeReport = Schema.decodeSync(Schema.fromJsonString(ConformanceReport))

const examine = Effect.fnUntraced(function* (
  acp: Program,
  { limits = {}, model = false, profile = GenericProfile }: Wishes = {}
) {
  const ledger = Context.get(yield* Layer.build(ProcessLedgerLayer.layerDisabled), ProcessLedger)
  const provider = { id: ProviderId.make("custom"), kind: "acp", name: "Agent", simulated: true } as const
  return yield* Examination.examine({ agent: { provider, providerOptions: { acp } }, profile, ledger, model, limits })
}, Effect.scoped)

/** What was seen, by probe, without times. */
const seenOf = (results: ReadonlyArray<ProbeResult>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    results.map(({ claimed, probe, seen, verdict }) => {
      const claim = claimed === undefined ? "" : claimed ? ", as claimed" : ", not claimed"
      return [probe, `${verdict}${claim}: ${seen}`]
    })
  )

/** Cursor as a server looks it over: with the profile that it has there. Its turns take a second. */
const cursor = Effect.fnUntraced(function* (generation: string) {
  const state = yield* temporaryFolder
  const known = yield* CursorProfile.make.pipe(Effect.provide(NodeServices.layer))
  const env = {
    FAKE_CURSOR_GEN: generation,
    FAKE_CURSOR_STATE: state,
    FAKE_CURSOR_TIME_SCALE: "0.05",
    FAKE_CURSOR_SCENARIO: "stream n=20 ms=1000"
  }
  const profile = { ...known, launch: () => Effect.succeed({ command: emulator, args: ["acp"], env }) }
  const { results } = yield* examine({ command: emulator, args: ["acp"] }, { model: true, profile })
  return seenOf(results)
}, Effect.scoped)

const scripted = (setup: object): Program => ({
  command: process.execPath,
  args: [scriptedMain],
  env: { SCRIPTED_AGENT: JSON.stringify(setup) }
})

/** What all of them do. */
const everyCursor = {
  "connection/initialize": "holds: version 1",
  "connection/identity": "quirk: nothing",
  "connection/future-version": "holds: answers version 1",
  "connection/unknown-method": "holds: refused, -32601",
  "connection/unknown-notification": "holds: ignored",
  "connection/cancel-unknown": "holds: ignored",
  "connection/string-id": "holds: comes back as it was",
  "connection/big-id": "quirk: comes back as another",
  "connection/malformed": "quirk: goes on, says nothing",
  "connection/batch": "quirk: goes on, says nothing",
  "start/early-updates": "holds: none",
  "start/commands": "holds: 4 told",
  "start/relative-folder": "quirk: opens a session",
  "login/methods": "holds: cursor_login (agent)",
  "login/needed": "holds: not needed now",
  "login/status": "holds, not claimed: not offered",
  "login/logout": "holds, not claimed: not offered",
  "settings/mode": "holds: works",
  "sessions/resume": "holds, not claimed: refused, -32601",
  "sessions/later": "quirk: refused, -32602",
  "sessions/unknown": "quirk: refused, -32602",
  "sessions/fork": "holds, not claimed: refused, -32601",
  "sessions/title": "holds, not claimed: refused, -32601",
  "sessions/archive": "holds, not claimed: refused, -32601",
  "sessions/close": "holds, not claimed: refused, -32601",
  "sessions/delete": "holds, not claimed: refused, -32601",
  "sessions/cancel-idle": "holds: ignored",
  "prompts/answer": "holds: end_turn",
  "prompts/message-ids": "holds: none",
  "prompts/usage": "holds: not told",
  "prompts/late-updates": "holds: none",
  "prompts/cancel": "holds: cancelled",
  "prompts/second": "holds: the first is cancelled",
  "end/stdout": "holds: messages only",
  "end/stderr": "holds: 2 lines",
  "end/input": "holds: exit code 0",
  "end/input-after-prompt": "quirk: stays",
  "end/terminated": "holds: exit code 143",
  "end/processes": "holds: none"
}

/** What each month's builds do in their own way. */
const cursors = {
  "2026.02": {
    "connection/before-initialize": "quirk: opens a session",
    "start/session": "holds: 3 modes",
    "settings/options": "holds: none",
    "settings/names": "untried: it has no settings",
    "settings/same": "untried: it has no settings",
    "settings/unknown-setting": "untried: it has no settings",
    "settings/unknown-value": "untried: it has no settings",
    "settings/model": "untried: it has none",
    "sessions/list": "holds, not claimed: refused, -32601",
    "sessions/list-folder": "untried: it lists none",
    "sessions/load": "holds, as claimed: works",
    "prompts/title": "holds: not told",
    "prompts/reload": "quirk, as claimed: tells nothing"
  },
  "2026.08": {
    "connection/before-initialize": "holds: refused, -32603",
    "start/session": "holds: 3 settings, 3 modes, 8 legacy models",
    "settings/options": "holds: mode, model, fast",
    "settings/names": "holds: readable",
    "settings/same": "holds: taken",
    "settings/unknown-setting": "holds: refused, -32602",
    "settings/unknown-value": "holds: refused, -32602",
    "settings/model": "holds: works",
    "sessions/list": "quirk, as claimed: works",
    "sessions/list-folder": "holds: only those",
    "sessions/load": "quirk, as claimed: works",
    "prompts/title": "holds: told",
    "prompts/reload": "holds, as claimed: tells what was said"
  },
  "2026.10": {
    "connection/before-initialize": "holds: refused, -32603",
    "start/session": "holds: 3 settings, 3 modes, 8 legacy models",
    "settings/options": "holds: mode, model, fast",
    "settings/names": "quirk: not for people",
    "settings/same": "holds: taken",
    "settings/unknown-setting": "holds: refused, -32602",
    "settings/unknown-value": "holds: refused, -32602",
    "settings/model": "holds: works",
    "sessions/list": "quirk, as claimed: works",
    "sessions/list-folder": "holds: only those",
    "sessions/load": "holds, as claimed: works",
    "prompts/title": "holds: told",
    "prompts/reload": "holds, as claimed: tells what was said"
  }
}

describe("an agent that is looked over", () => {
  for (const [generation, differences] of Object.entries(cursors)) {
    it.live(
      `is Cursor of ${generation}, told apart from the others`,
      () =>
        Effect.gen(function* () {
          assert.deepStrictEqual(yield* cursor(generation), { ...everyCursor, ...differences })
        }),
      60_000
    )
  }

  it.live("is one that keeps its word, and tells batches from lines that are no JSON", () =>
    Effect.gen(function* () {
      const { agent, results } = yield* examine({ command: process.execPath, args: [elizaMain] })
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
      const sdk = seenOf((yield* examine({ command: process.execPath, args: [sdkMain] })).results)
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
      const { results } = yield* examine(lies)
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
      const { results } = yield* examine({ command: process.execPath, args: [Keeper.program], env: keeper.env })
      const seen = seenOf(results)
      assert.strictEqual(seen["connection/malformed"], "broken: stops answering")
      for (const name of ["load", "resume", "fork", "title", "archive", "close", "delete"]) {
        assert.strictEqual(seen[`sessions/${name}`], "holds, as claimed: works")
      }
      assert.strictEqual(seen["login/logout"], "untried, as claimed: it would sign you out")
      assert.deepStrictEqual(keeper.state().sessions, [])
    }).pipe(Effect.scoped)
  )

  it.live(
    "never answers a session/new: the rest is looked over without it",
    () =>
      Effect.gen(function* () {
        const env = { FAKE_CURSOR_QUIRKS: "hang_new", FAKE_CURSOR_TIME_SCALE: "0" }
        const { results } = yield* examine(
          { command: emulator, args: ["acp"], env },
          { limits: { session: "1 second" } }
        )
        const seen = seenOf(results)
        assert.strictEqual(seen["start/session"], "broken: no answer")
        assert.strictEqual(seen["sessions/load"], "untried: it opens no session")
        assert.strictEqual(seen["end/terminated"], "holds: exit code 143")
      }),
    60_000
  )

  it.live("leaves a process behind, which is told and ended", () =>
    Effect.gen(function* () {
      const name = randomUUID()
      const agent = scripted({ beforeNewSession: [{ daemon: true }] })
      const { results } = yield* examine({ ...agent, env: { ...agent.env, LEFT_BEHIND: name } })
      assert.strictEqual(seenOf(results)["end/processes"], "quirk: leaves 1 behind")
      const left = () =>
        ofThisSystem.list().filter(({ alive, pid }) => alive && ofThisSystem.carries(pid, "LEFT_BEHIND", name))
      yield* Effect.sync(left).pipe(
        Effect.repeat({ until: (rows) => rows.length === 0, schedule: Schedule.spaced("20 millis") }),
        Effect.timeout("5 seconds")
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

describe("signalbox conformance", () => {
  const eliza = ["conformance", "--agent", `${process.execPath} ${elizaMain}`]

  it.live(
    "prints a table, and the report as JSON",
    () =>
      Effect.gen(function* () {
        const table = yield* call(eliza)
        assert.strictEqual(table.code, 0)
        assert.match(table.stdout, /^eliza 0\.1\.0, version 1 of the protocol\n/)
        assert.match(table.stdout, /\n✓ {2}Loads a session +yes +works\n/)
        assert.match(table.stdout, /--model does that\.\n$/)
        const { code, stdout } = yield* call([...eliza, "--json"])
        assert.strictEqual(code, 0)
        const report = decodeReport(stdout)
        assert.isFalse(report.withModel)
        assert.strictEqual(report.protocolVersion, 1)
        const [, rows = ""] = reportText(report, 80).split("\n\n")
        for (const line of rows.split("\n")) assert.isAtMost(line.length, 80)
      }),
    60_000
  )

  it.live("is stopped by Ctrl-C, and leaves no agent and no folder behind", () =>
    Effect.gen(function* () {
      const log = join(temporaryDirectory("log"), "log")
      const temporary = temporaryDirectory("tmp")
      const env = { FAKE_CURSOR_QUIRKS: "hang_new", FAKE_CURSOR_LOG: log, TMPDIR: temporary }
      const running = yield* start(["conformance", "--agent", `${emulator} acp`], { env })
      const pid = yield* Effect.sync(() => pidIn(log)).pipe(
        Effect.repeat({ until: (pid) => pid !== undefined, schedule: Schedule.spaced("20 millis") })
      )
      running.kill("SIGINT")
      assert.strictEqual((yield* running.ended).code, 3)
      yield* groupEnds(pid ?? 0)
      assert.deepStrictEqual(
        readdirSync(temporary).filter((name) => name.startsWith("signalbox-conformance-")),
        []
      )
    }).pipe(Effect.scoped)
  )

  it.live("fails with the reason where the agent does not start", () =>
    Effect.gen(function* () {
      const { code, stderr } = yield* call(["conformance", "--agent", "/nowhere/agent"])
      assert.strictEqual(code, 1)
      assert.include(stderr, "There is no program /nowhere/agent.")
    })
  )
})

describe("a page", () => {
  it.live("sees an agent being looked over, and finds the report later", () =>
    Effect.gen(function* () {
      const state = temporaryDirectory("state")
      const agents = { talker: { command: process.execPath, args: [elizaMain] } }
      writeFileSync(join(state, "settings.json"), JSON.stringify({ agents }), { mode: 0o600 })
      const server = yield* start(["serve", "--state-dir", state, "--port", "0"])
      const providerId = ProviderId.make("talker")
      yield* Effect.gen(function* () {
        const client = yield* RpcClient.make(SignalboxRpc)
        assert.isNull(yield* client.conformanceReport({ providerId }))
        const frames = yield* Stream.runCollect(client.probeAgent({ providerId, model: false }))
        const last = frames.at(-1)
        if (last?.type !== "report") return assert.fail("The report comes last")
        assert.strictEqual(frames.filter(({ type }) => type === "result").length, last.report.results.length)
        assert.deepStrictEqual(yield* client.conformanceReport({ providerId }), last.report)
        const nobody = { providerId: ProviderId.make("nobody"), model: false }
        const refused = yield* Effect.flip(Stream.runDrain(client.probeAgent(nobody)))
        assert.strictEqual(refused._tag, "ConformanceRefused")
      }).pipe(Effect.provide(connect(yield* reachable(server))))
    }).pipe(Effect.scoped)
  )
})

/** The agent that a log of the emulator tells of. */
const pidIn = (log: string): number | undefined => {
  if (!existsSync(log)) return undefined
  const [, pid] = /"pid":(\d+)/.exec(readFileSync(log, "utf8")) ?? []
  return pid === undefined ? undefined : Number(pid)
}
