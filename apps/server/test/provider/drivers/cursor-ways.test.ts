/** However Cursor is started, people see the same: its questions and plans, its errors, its pickers and its login. */
import { assert, describe, it } from "@effect/vitest"
import type { RequestResponse } from "@signalbox/contracts/AgentRequest"
import { type AcpOptions, ProviderId } from "@signalbox/contracts/Provider"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as AgentVisits from "../../../src/provider/acp/visits/AgentVisits.ts"
import * as Drivers from "../../../src/provider/drivers/Drivers.ts"
import * as AgentVisitsLayer from "../../../src/provider/signin/AgentVisits.ts"
import * as ProcessLedger from "@signalbox/process/ProcessLedgerLayer"
import * as Registry from "../../../src/provider/Layers/ProviderAdapterRegistry.ts"
import * as Catalog from "../../../src/provider/catalog/ProviderCatalog.ts"
import * as Directory from "../../../src/provider/Layers/ProviderSessionDirectory.ts"
import * as SignedIn from "../../../src/provider/signin/SignedIn.ts"
import { ProviderCatalog } from "../../../src/provider/Services/ProviderCatalog.ts"
import * as SettingsFile from "../../../src/settings/SettingsFile.ts"
import * as Tape from "../../../src/tape/Tape.ts"
import { call, start } from "../../cli/support/Signalbox.ts"
import { eventsOf } from "../../cli/support/Runs.ts"
import { emulator, emulatorFolder, machine, script, systemFolders, temporaryFolder } from "./support/Programs.ts"
import { agentHarness, thread, untilGone } from "../../support/AgentHarness.ts"
import { scriptedMain } from "../../support/ScriptedAgent.ts"

const variables = (more: Readonly<Record<string, string>> = {}) => ({
  PATH: `${emulatorFolder}:${systemFolders}`,
  FAKE_CURSOR_STATE: temporaryFolder(),
  FAKE_CURSOR_TIME_SCALE: "0",
  FAKE_CURSOR_QUIRKS: "-ask_missing",
  ...more
})

/** Entries of the settings: by the name of the program, by a link to it, and as the registry leaves it. */
const entries = (env: Readonly<Record<string, string>>, more: AcpOptions) => {
  const folder = temporaryFolder()
  const linked = join(folder, "mine")
  symlinkSync(join(emulatorFolder, "agent"), linked)
  const downloaded = script(folder, "download", `exec "${emulator}" "$@"`)
  const entry = (command: string) => ({ command, args: ["acp"], env, ...more })
  return {
    named: entry("cursor-agent"),
    linked: entry(linked),
    installed: { ...entry(downloaded), registry: { id: "cursor", version: "2026.10.01" } }
  }
}

const everyWay = ["cursor", "named", "linked", "installed"]

const agents = (env: Readonly<Record<string, string>>, more: AcpOptions = {}) => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, "settings.json"), JSON.stringify({ agents: entries(env, more) }))
  const provider = { id: ProviderId.make("cursor"), kind: "cursor", name: "Cursor", simulated: true } as const
  const builtIn = { provider, description: "", hidden: false, options: { cursor: { binaryPath: emulator, env } } }
  return AgentVisitsLayer.layer.pipe(
    Layer.provideMerge(Catalog.layerOf([builtIn])),
    Layer.provide(Registry.layer),
    Layer.provide([Tape.layerDisabled, Directory.layerMemory, SignedIn.layer, SettingsFile.layer({ folder })]),
    Layer.provide(ProcessLedger.layerDisabled),
    Layer.provideMerge(machine({ PATH: systemFolders }))
  )
}

/** An agent of the catalogue, by the profile of its kind. */
const agentOf = Effect.fnUntraced(function* (way: string) {
  const { options, provider } = yield* (yield* ProviderCatalog).get(ProviderId.make(way))
  assert.strictEqual(provider.kind, "cursor", way)
  const agent = yield* agentHarness("", [], { profile: (yield* Drivers.profiles)(provider.kind) })
  return { agent, start: agent.start({ provider, providerOptions: options }) }
})

const answered = Effect.fnUntraced(function* (way: string, prompt: string, response: RequestResponse) {
  const { agent, start } = yield* agentOf(way)
  yield* start
  const turn = yield* Effect.forkChild(agent.turn("t1", prompt))
  const { request } = yield* Effect.raceFirst(agent.next("question.requested"), agent.next("plan.proposed"))
  yield* agent.adapter.respondToRequest(thread, request.requestId, response)
  return { agent, request, end: yield* Fiber.join(turn) }
}, Effect.scoped)

const inEveryWay = <A, E, R>(see: (way: string) => Effect.Effect<A, E, R>) =>
  Effect.forEach(everyWay, see, { concurrency: 2 })

describe("however Cursor is started", () => {
  it.live("its questions and plans are put to people, and its pickers have names for people", () =>
    Effect.gen(function* () {
      yield* inEveryWay((way) =>
        Effect.gen(function* () {
          const asked = yield* answered(way, "[[fake:ask]]", { type: "skip", reason: "later" })
          assert.strictEqual(asked.request.type, "question", way)
          const names = JSON.stringify(asked.agent.of("settings.updated"))
          assert.include(names, '"model"', way)
          assert.notInclude(names, ":icon-", way)
          const planned = yield* answered(way, "[[fake:plan]]", { type: "accept" })
          assert.strictEqual(planned.request.type, "plan", way)
          assert.strictEqual(planned.end.outcome, "completed", way)
        })
      )
    }).pipe(Effect.provide(agents(variables())))
  )

  it.live("an error that it sends as text is one, and its version is on record", () =>
    Effect.gen(function* () {
      const seen = yield* inEveryWay(
        Effect.fnUntraced(function* (way) {
          const { agent, start } = yield* agentOf(way)
          yield* start
          const end = yield* agent.turn("t1", "[[fake:error kind=signin]]")
          return [end.outcome, end.problem?.code]
        }, Effect.scoped)
      )
      for (const one of seen) assert.deepEqual(one, ["failed", "auth-required"])
      const visits = yield* AgentVisits.AgentVisits
      const versions = yield* inEveryWay((way) =>
        Effect.scoped(Effect.map(visits.visit(ProviderId.make(way)), ({ launch }) => launch.version))
      )
      for (const version of versions) assert.strictEqual(version, "2026.10.01-e373342")
    }).pipe(Effect.provide(agents(variables())))
  )

  it.live("a missing login is reported before a session, and by the session that is refused", () =>
    Effect.gen(function* () {
      const statuses = yield* (yield* ProviderCatalog).check
      assert.deepEqual(
        statuses.map(({ problem, provider: { id, kind }, state, version }) => [
          id,
          kind,
          state,
          version,
          problem?.code
        ]),
        everyWay.map((way) => [way, "cursor", "attention", "2026.10.01-e373342", "auth-required"])
      )
      const problems = yield* inEveryWay((way) =>
        Effect.scoped(Effect.flatMap(agentOf(way), ({ start }) => Effect.flip(start)))
      )
      for (const { problem } of problems) {
        assert.strictEqual(problem.code, "auth-required")
        assert.strictEqual(problem.nextSteps[0]?.command, "cursor-agent login")
      }
    }).pipe(Effect.provide(agents(variables({ FAKE_CURSOR_AUTH: "none" }))))
  )

  it.live("an old one is refused", () =>
    Effect.gen(function* () {
      const problems = yield* inEveryWay((way) =>
        Effect.scoped(Effect.flatMap(agentOf(way), ({ start }) => Effect.flip(start)))
      )
      for (const { problem } of problems) assert.strictEqual(problem.code, "agent-too-old")
    }).pipe(Effect.provide(agents(variables({ FAKE_CURSOR_VERSION: "2025.09.01-e373342" }))))
  )

  it.live("its version is asked for once, not at each start", () =>
    Effect.gen(function* () {
      const folder = temporaryFolder()
      const runs = join(folder, "runs")
      const program = script(folder, "agent", `echo "$1" >> "${runs}"; exec "${emulator}" "$@"`)
      const ran = yield* call(["run", "--agent", `${program} acp`, "hello"], { env: variables() })
      assert.strictEqual(ran.code, 0)
      assert.deepEqual(readFileSync(runs, "utf8").trim().split("\n"), ["--version", "acp"])
    })
  )

  it.live("what its settings decide for people is decided", () =>
    Effect.gen(function* () {
      const { agent, start } = yield* agentOf("named")
      yield* start
      yield* agent.turn("t1", "run `npm test`")
      const [resolved] = agent.of("approval.resolved")
      const outcome = resolved?.outcome.type === "answered" ? resolved.outcome.response : undefined
      assert.deepInclude(outcome, { type: "option", optionId: "reject-once" })
    }).pipe(Effect.scoped, Effect.provide(agents(variables(), { permissions: "read-only" })))
  )

  it.live("on the command line too", () =>
    Effect.gen(function* () {
      const run = Effect.fnUntraced(function* (program: string, env: Readonly<Record<string, string>> = {}) {
        const args = ["run", "--agent", program, "--json", "--timeout", "60", "[[fake:ask]]"]
        return eventsOf(yield* call(args, { env: variables(env) }))
      })
      for (const program of ["cursor-agent acp", `${join(emulatorFolder, "agent")} acp`]) {
        const events = yield* run(program)
        assert.isTrue(
          events.some(({ type }) => type === "question.requested"),
          program
        )
        assert.isTrue(
          events.every(({ providerKind }) => providerKind === "cursor"),
          program
        )
      }
      // Called agent and named Cursor by itself, but no Cursor.
      const claims = JSON.stringify({ initialize: { agentInfo: { name: "Cursor", version: "2026.10.01-e373342" } } })
      const other = script(
        temporaryFolder(),
        "agent",
        `[ "$1" = --version ] && echo other 1.0 || exec "${process.execPath}" "${scriptedMain}"`
      )
      const events = yield* run(other, { SCRIPTED_AGENT: claims })
      assert.isTrue(events.some(({ type }) => type === "session.started"))
      assert.isTrue(events.every(({ providerKind }) => providerKind === "acp"))
    })
  )

  it.live("a signal ends the question for its version too, and leaves nothing running", () =>
    Effect.gen(function* () {
      const folder = temporaryFolder()
      const asked = join(folder, "asked")
      const program = script(folder, "agent", `echo $$ > "${asked}"; exec sleep 600`)
      const running = yield* start(["run", "--agent", program, "hello"])
      const pid = yield* Effect.sync(() => (existsSync(asked) ? Number(readFileSync(asked, "utf8")) : 0)).pipe(
        Effect.repeat({ until: (pid) => pid > 0, schedule: Schedule.spaced("20 millis") })
      )
      running.kill("SIGINT")
      assert.strictEqual((yield* running.ended).code, 3)
      yield* untilGone(pid)
    }).pipe(Effect.scoped)
  )
})
