import { ProviderId, type ProviderOptions, type ProviderStatus } from "@signalbox/contracts/Provider"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { execFile } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setImmediate } from "node:timers/promises"
import { promisify } from "node:util"
import { builtInProviders, type OfferedProvider } from "../../../src/provider/catalog/BuiltInProviders.ts"
import * as Registry from "../../../src/provider/Layers/ProviderAdapterRegistry.ts"
import * as Catalog from "../../../src/provider/catalog/ProviderCatalog.ts"
import { ProviderAdapterRegistry } from "../../../src/provider/Services/ProviderAdapterRegistry.ts"
import { ProviderCatalog } from "../../../src/provider/Services/ProviderCatalog.ts"
import * as SettingsFile from "../../../src/settings/SettingsFile.ts"
import { makeMemoryAdapter } from "../drivers/support/MemoryAdapter.ts"
import {
  emulatorEnvironment,
  fakeCursor,
  machine,
  script,
  systemFolders,
  temporaryFolder
} from "../drivers/support/Programs.ts"

const registry = Layer.effect(
  ProviderAdapterRegistry,
  Effect.gen(function* () {
    return Registry.make({ cursor: yield* makeMemoryAdapter("cursor"), acp: yield* makeMemoryAdapter("acp") })
  })
)

const offer = (options: ProviderOptions, id = "cursor"): OfferedProvider => ({
  provider: { id: ProviderId.make(id), kind: "cursor", name: "Cursor", simulated: false },
  description: "Under test.",
  options,
  hidden: false
})

const noSettings = Layer.provide(SettingsFile.layer({ folder: temporaryFolder() }), NodeServices.layer)

const catalogOf = (
  env: Readonly<Record<string, string | undefined>>,
  offered: ReadonlyArray<OfferedProvider> = [offer({})]
) => Layer.provide(Catalog.layerOf(offered), [registry, noSettings, machine(env)])

const only = (statuses: ReadonlyArray<ProviderStatus>): ProviderStatus => {
  assert.strictEqual(statuses.length, 1)
  const [status] = statuses
  assert.isDefined(status)
  return status
}

/** The catalogue's first result for the one agent in it. */
const checked = Effect.gen(function* () {
  const catalog = yield* ProviderCatalog
  return only(yield* catalog.check)
})

const rows = ({ checks }: ProviderStatus) => checks.map(({ name, state }) => `${name} ${state}`)

const version = "2026.10.01-e373342"

describe("ProviderCatalog", () => {
  it.live("shows a Cursor that is found, known and logged in as ready", () =>
    Effect.gen(function* () {
      const status = yield* checked
      assert.strictEqual(status.state, "ready")
      assert.deepStrictEqual(rows(status), ["found ok", "version ok", "login ok"])
      assert.strictEqual(status.version, version)
      assert.strictEqual(status.checks[0]?.detail, status.path)
      assert.isTrue(status.checks.every(({ durationMs }) => durationMs !== undefined && durationMs >= 0))
      assert.isDefined(status.checkedAt)
      assert.isUndefined(status.problem)
    }).pipe(Effect.provide(catalogOf(emulatorEnvironment())))
  )

  it.live("asks for a login first where nobody is logged in, and lets threads start all the same", () =>
    Effect.gen(function* () {
      const status = yield* checked
      assert.strictEqual(status.state, "attention")
      assert.deepStrictEqual(rows(status), ["found ok", "version ok", "login attention"])
      assert.strictEqual(
        status.checks[2]?.detail,
        "cursor-agent status says “Not logged in”, and neither CURSOR_API_KEY nor CURSOR_AUTH_TOKEN is set."
      )
      assert.strictEqual(status.problem?.code, "auth-required")
      assert.strictEqual(status.problem?.nextSteps[0]?.command, "cursor-agent login")
    }).pipe(Effect.provide(catalogOf(emulatorEnvironment({ FAKE_CURSOR_AUTH: "none" }))))
  )

  it.live("takes an agent's own word for a login, until its program says otherwise", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* checked).state, "attention")
      const catalog = yield* ProviderCatalog
      yield* catalog.noteLogin(ProviderId.make("cursor"), { name: "login", state: "ok", detail: "Signed in as Ada." })
      const noted = only(yield* catalog.statuses)
      assert.strictEqual(noted.state, "ready")
      assert.isUndefined(noted.problem)
      assert.strictEqual(noted.checks.at(-1)?.detail, "Signed in as Ada.")
      assert.strictEqual((yield* checked).state, "attention")
    }).pipe(Effect.provide(catalogOf(emulatorEnvironment({ FAKE_CURSOR_AUTH: "none" }))))
  )

  it.live("keeps an agent's own word where its program says nothing of it", () => {
    const provider = { id: ProviderId.make("mine"), kind: "acp", name: "Mine", simulated: false } as const
    const options = { acp: { command: process.execPath } }
    return Effect.gen(function* () {
      yield* checked
      const catalog = yield* ProviderCatalog
      yield* catalog.noteLogin(provider.id, { name: "login", state: "attention", detail: "Nobody is." })
      assert.strictEqual(only(yield* catalog.statuses).state, "attention")
      const again = yield* checked
      assert.strictEqual(again.state, "attention")
      assert.deepStrictEqual(rows(again), ["found ok", "login attention"])
    }).pipe(Effect.provide(catalogOf({}, [{ provider, description: "Under test.", options, hidden: false }])))
  })

  it.live("takes an API key for a login", () =>
    Effect.gen(function* () {
      const status = yield* checked
      assert.strictEqual(status.state, "ready")
      assert.include(status.checks[2]?.detail, "CURSOR_API_KEY")
      assert.notInclude(JSON.stringify(status), "secret")
    }).pipe(Effect.provide(catalogOf(emulatorEnvironment({ FAKE_CURSOR_AUTH: "apikey", CURSOR_API_KEY: "secret" }))))
  )

  it.live("says how to install Cursor where there is none", () =>
    Effect.gen(function* () {
      const status = yield* checked
      assert.strictEqual(status.state, "unavailable")
      assert.deepStrictEqual(rows(status), ["found failed"])
      assert.strictEqual(status.problem?.code, "agent-not-found")
      assert.include(status.problem?.nextSteps[0]?.command, "cursor.com/install")
    }).pipe(Effect.provide(catalogOf({ PATH: temporaryFolder() })))
  )

  it.live("shows what the wrong agent printed", () => {
    const folder = temporaryFolder()
    const path = script(folder, "agent", 'echo "grok-cli 1.2.3"')
    return Effect.gen(function* () {
      const status = yield* checked
      assert.deepStrictEqual(rows(status), ["found ok", "version failed"])
      assert.strictEqual(status.path, path)
      assert.strictEqual(status.problem?.code, "agent-not-recognised")
      assert.include(status.checks[1]?.detail, "grok-cli 1.2.3")
    }).pipe(Effect.provide(catalogOf({ PATH: `${folder}:${systemFolders}` })))
  })

  it.live("names the version that is too old, the oldest that is not, and how to update", () => {
    const folder = temporaryFolder()
    fakeCursor(folder, "cursor-agent", "2025.12.01-abcdef0")
    return Effect.gen(function* () {
      const status = yield* checked
      assert.strictEqual(status.state, "unavailable")
      assert.deepStrictEqual(rows(status), ["found ok", "version failed"])
      assert.strictEqual(status.problem?.code, "agent-too-old")
      assert.match(status.checks[1]?.detail ?? "", /2025\.12\.01-abcdef0; the oldest that can be used is 2026\./)
      assert.strictEqual(status.problem?.nextSteps[0]?.command, "cursor-agent update")
    }).pipe(Effect.provide(catalogOf({ PATH: `${folder}:${systemFolders}` })))
  })

  it.live("says that the program is not executable", () => {
    const folder = temporaryFolder()
    script(folder, "cursor-agent", "echo", 0o644)
    return Effect.gen(function* () {
      const status = yield* checked
      assert.deepStrictEqual(rows(status), ["found failed"])
      assert.include(status.problem?.nextSteps[0]?.command, "chmod +x")
    }).pipe(Effect.provide(catalogOf({ PATH: folder })))
  })

  it.effect("is there at once while a program hangs, and gives it up after ten seconds", () => {
    const folder = temporaryFolder()
    const path = script(folder, "cursor-agent", "echo starting; exec sleep 600")
    return Effect.gen(function* () {
      const catalog = yield* ProviderCatalog
      const before = only(yield* catalog.statuses)
      assert.strictEqual(before.state, "checking")
      assert.deepStrictEqual(before.checks, [])
      const check = yield* Effect.forkChild(catalog.check)
      let seconds = 0
      // The time is ours, the process is real: it gets its turn between the seconds.
      while (check.pollUnsafe() === undefined) {
        yield* TestClock.adjust("1 second")
        yield* Effect.promise(() => setImmediate())
        seconds += 1
      }
      assert.isAtLeast(seconds, 10)
      const status = only(yield* Fiber.join(check))
      assert.deepStrictEqual(rows(status), ["found ok", "version failed"])
      assert.strictEqual(status.problem?.code, "agent-start-timeout")
      assert.strictEqual(status.problem?.evidence.path, path)
    }).pipe(Effect.provide(catalogOf({ PATH: `${folder}:${systemFolders}` })))
  })

  it.live("says that a Cursor is newer than any we know, and uses it", () => {
    const folder = temporaryFolder()
    fakeCursor(folder, "cursor-agent", "2027.01.15-abcdef0", "Logged in as dev@example.com")
    return Effect.gen(function* () {
      const status = yield* checked
      assert.strictEqual(status.state, "ready")
      assert.strictEqual(status.checks[1]?.detail, "2027.01.15-abcdef0, newer than the newest we know (2026.10)")
    }).pipe(Effect.provide(catalogOf({ PATH: `${folder}:${systemFolders}` })))
  })

  it.live("runs nothing again while the program is the same, and notices when it was replaced", () => {
    const folder = temporaryFolder()
    fakeCursor(folder, "cursor-agent", version)
    const runs = () => readFileSync(join(folder, "runs.log"), "utf8").trim().split("\n")
    // By the time that a program started now has ended, one that was started before has noted its run.
    const afterRuns = Effect.promise(() => promisify(execFile)("sh", ["-c", "for i in 1 2 3 4 5; do sh -c true; done"]))
    return Effect.gen(function* () {
      const catalog = yield* ProviderCatalog
      yield* catalog.check
      const once = runs()
      assert.deepStrictEqual(once, ["--version", "status --format json", "status"])
      yield* catalog.statuses
      yield* afterRuns
      const first = yield* Stream.runHead(catalog.changes)
      assert.isTrue(first._tag === "Some" && only(first.value).version === version)
      yield* afterRuns
      assert.deepStrictEqual(runs(), once)

      fakeCursor(folder, "cursor-agent", "2026.10.22-27dcf5f0")
      const changed = yield* catalog.changes.pipe(
        Stream.filter((statuses) => only(statuses).version === "2026.10.22-27dcf5f0"),
        Stream.runHead
      )
      assert.strictEqual(changed._tag, "Some")
      yield* catalog.check
      assert.strictEqual(runs().length, 9)
      for (const run of runs()) assert.notMatch(run, /models/)
    }).pipe(Effect.provide(catalogOf({ PATH: `${folder}:${systemFolders}` })))
  })

  it.live("shares one check among all who ask for it", () => {
    const folder = temporaryFolder()
    fakeCursor(folder, "cursor-agent", version)
    return Effect.gen(function* () {
      const catalog = yield* ProviderCatalog
      yield* Effect.all([catalog.check, catalog.check, catalog.check], { concurrency: "unbounded" })
      assert.strictEqual(readFileSync(join(folder, "runs.log"), "utf8").trim().split("\n").length, 3)
    }).pipe(Effect.provide(catalogOf({ PATH: `${folder}:${systemFolders}` })))
  })

  it.live("one agent's slowness does not keep the others' results back", () => {
    const folder = temporaryFolder()
    const go = join(folder, "go")
    const slow = script(folder, "slow", `while [ ! -e '${go}' ]; do sleep 0.05; done; echo ${version}`)
    const fast = fakeCursor(folder, "fast", version)
    const offered = [offer({ cursor: { binaryPath: slow } }, "slow"), offer({ cursor: { binaryPath: fast } }, "fast")]
    return Effect.gen(function* () {
      const catalog = yield* ProviderCatalog
      const stateOf = (statuses: ReadonlyArray<ProviderStatus>, id: string) =>
        statuses.find(({ provider }) => provider.id === id)?.state
      const half = yield* catalog.changes.pipe(
        Stream.filter((statuses) => stateOf(statuses, "fast") === "attention"),
        Stream.runHead
      )
      assert.isTrue(half._tag === "Some" && stateOf(half.value, "slow") === "checking")
      writeFileSync(go, "")
      assert.strictEqual(stateOf(yield* catalog.check, "slow"), "ready")
    }).pipe(Effect.provide(catalogOf({ PATH: systemFolders }, offered)))
  })
})

describe("a look at agents while another one is under way", () => {
  it.live("is made once that one has ended", () => {
    const folder = temporaryFolder()
    const go = join(folder, "go")
    const started = join(folder, "started")
    const newer = "2026.10.22-27dcf5f0"
    const slow = fakeCursor(folder, "slow", version)
    const fast = fakeCursor(folder, "fast", version)
    const offered = [offer({ cursor: { binaryPath: slow } }, "slow"), offer({ cursor: { binaryPath: fast } }, "fast")]
    const versionOf = (statuses: ReadonlyArray<ProviderStatus>, id: string) =>
      statuses.find(({ provider }) => provider.id === id)?.version
    return Effect.gen(function* () {
      const catalog = yield* ProviderCatalog
      yield* catalog.check
      const noticed = yield* catalog.changes.pipe(
        Stream.filter((statuses) => versionOf(statuses, "fast") === newer),
        Stream.runHead,
        Effect.forkChild({ startImmediately: true })
      )
      yield* Effect.promise(() => setImmediate())
      script(folder, "slow", `touch '${started}'; while [ ! -e '${go}' ]; do sleep 0.05; done; echo ${version}`)
      yield* catalog.statuses
      yield* Effect.repeat(
        Effect.promise(() => setImmediate()),
        { while: () => !existsSync(started) }
      )
      fakeCursor(folder, "fast", newer)
      yield* catalog.statuses
      writeFileSync(go, "")
      assert.strictEqual((yield* Fiber.join(noticed))._tag, "Some")
    }).pipe(Effect.provide(catalogOf({ PATH: systemFolders }, offered)))
  })
})

describe("built-in agents", () => {
  const built = (env: Readonly<Record<string, string | undefined>>) =>
    Layer.provide(Catalog.layer(temporaryFolder()), [registry, noSettings, machine(env)])

  it.live("can start without Cursor, and are marked as simulated", () =>
    Effect.gen(function* () {
      const catalog = yield* ProviderCatalog
      const statuses = yield* catalog.check
      assert.deepStrictEqual(
        statuses.map(({ provider, state }) => `${provider.id} ${state}${provider.simulated ? ", simulated" : ""}`),
        [
          "cursor unavailable",
          "cursor-simulated ready, simulated",
          "eliza ready, simulated",
          "signalbox-nes ready, simulated"
        ]
      )
    }).pipe(Effect.provide(built({ PATH: systemFolders })))
  )

  it.effect("are found by id, hidden ones too; other ids are refused with the known ones named", () =>
    Effect.gen(function* () {
      const catalog = yield* ProviderCatalog
      for (const { options, provider } of builtInProviders("/state")) {
        const found = yield* catalog.get(provider.id)
        assert.deepStrictEqual(found.provider, provider)
        assert.deepStrictEqual(Object.keys(found.options), Object.keys(options))
      }
      for (const id of ["custom", "gemini", ""]) {
        const { problem } = yield* Effect.flip(catalog.get(ProviderId.make(id)))
        assert.strictEqual(problem.code, "agent-not-found")
        assert.include(problem.cause, "cursor, cursor-simulated, eliza, signalbox-nes")
      }
    }).pipe(Effect.provide(built({ PATH: systemFolders })))
  )
})
