/** Agents that people put into their settings, as the catalogue offers them. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { ProviderId, type ProviderStatus } from "@signalbox/contracts/Provider"
import { reservedNames } from "@signalbox/contracts/Settings"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { builtInProviders } from "../../../src/provider/catalog/BuiltInProviders.ts"
import * as Registry from "../../../src/provider/Layers/ProviderAdapterRegistry.ts"
import * as Catalog from "../../../src/provider/catalog/ProviderCatalog.ts"
import { ProviderAdapterRegistry } from "../../../src/provider/Services/ProviderAdapterRegistry.ts"
import { ProviderCatalog } from "../../../src/provider/Services/ProviderCatalog.ts"
import * as SettingsFile from "../../../src/settings/SettingsFile.ts"
import { makeMemoryAdapter } from "../drivers/support/MemoryAdapter.ts"
import { machine, script, systemFolders, temporaryFolder } from "../drivers/support/Programs.ts"

const registry = Layer.effect(
  ProviderAdapterRegistry,
  Effect.gen(function* () {
    return Registry.make({ cursor: yield* makeMemoryAdapter("cursor"), acp: yield* makeMemoryAdapter("acp") })
  })
)

/** Eliza, and what the settings in `folder` say. */
const offering = (folder: string, env: Readonly<Record<string, string>> = { PATH: systemFolders }) =>
  Catalog.layerOf(builtInProviders(folder).filter(({ provider }) => provider.id === "eliza")).pipe(
    Layer.provide(SettingsFile.layer({ folder, watch: true })),
    Layer.provide([registry, machine(env), NodeServices.layer])
  )

const settle = (folder: string, agents: object) =>
  writeFileSync(join(folder, "settings.json"), JSON.stringify({ agents }))

const words = ({ provider: { id, kind, name }, source, state }: ProviderStatus) =>
  `${id} (${name}, ${kind}, ${source}) ${state}`

/** The next list in which this is so. */
const until = (fits: (statuses: ReadonlyArray<ProviderStatus>) => boolean) =>
  Effect.flatMap(ProviderCatalog, ({ changes }) =>
    Effect.map(Stream.runHead(Stream.filter(changes, fits)), (found) => Option.getOrThrow(found))
  )

describe("agents from the settings", () => {
  it.live(
    "stand behind the built-in ones, found in PATH or not, and are given with what the settings say of them",
    () => {
      const folder = temporaryFolder()
      const bin = temporaryFolder()
      const mine = script(bin, "my-agent", "exit 0")
      script(bin, "plain-text", "exit 0", 0o644)
      const options = {
        command: "my-agent",
        args: ["--acp", "a b"],
        env: { MY_KEY: "secret" },
        permissions: "read-only" as const
      }
      settle(folder, {
        mine: { ...options, name: "Mine" },
        gone: { command: "no-such-agent" },
        text: { command: "plain-text" },
        far: { url: "wss://far.example/acp" },
        near: { command: "./agent.sh" }
      })
      return Effect.gen(function* () {
        const catalog = yield* ProviderCatalog
        const statuses = yield* catalog.check
        assert.deepEqual(statuses.map(words), [
          "eliza (Eliza, acp, built-in) ready",
          "mine (Mine, acp, settings) ready",
          "gone (gone, acp, settings) unavailable",
          "text (text, acp, settings) unavailable",
          "far (far, acp, settings) ready",
          "near (near, acp, settings) ready"
        ])
        const [, found, gone, text, far] = statuses
        assert.strictEqual(found?.path, mine)
        assert.strictEqual(found?.commandLine, "my-agent --acp 'a b'")
        assert.strictEqual(gone?.problem?.cause, "There is no program no-such-agent in PATH.")
        assert.strictEqual(text?.problem?.code, "agent-start-failed")
        assert.strictEqual(far?.checks[0]?.state, "unknown")
        assert.notInclude(JSON.stringify(statuses), "secret")
        const { options: given, provider } = yield* catalog.get(ProviderId.make("mine"))
        assert.deepEqual(given, { acp: options })
        assert.deepEqual(provider, { id: ProviderId.make("mine"), kind: "acp", name: "Mine", simulated: false })
      }).pipe(Effect.provide(offering(folder, { PATH: `${bin}:${systemFolders}` })))
    }
  )

  it.live("say which variable is missing, by its name, and find it in our environment or in theirs", () => {
    const folder = temporaryFolder()
    const auth = { env: ["MY_KEY", "OTHER_KEY"] }
    settle(folder, {
      none: { command: "true", auth },
      theirs: { command: "true", auth, env: { OTHER_KEY: "x" } },
      ours: { command: "true", auth: { env: ["HOST_KEY"] } }
    })
    return Effect.gen(function* () {
      const [, none, theirs, ours] = yield* (yield* ProviderCatalog).check
      assert.strictEqual(none?.state, "attention")
      assert.strictEqual(none?.problem?.cause, "None of these is set: MY_KEY, OTHER_KEY")
      assert.deepEqual([theirs?.checks[1]?.detail, ours?.checks[1]?.detail], ["OTHER_KEY is set", "HOST_KEY is set"])
    }).pipe(Effect.provide(offering(folder, { PATH: systemFolders, HOST_KEY: "y" })))
  })

  it.live(
    "that are wrong are shown with the reason and can't be chosen; one called as another is does not take its place",
    () => {
      const folder = temporaryFolder()
      settle(folder, {
        eliza: { command: "true" },
        custom: { command: "true" },
        wrong: { comand: "true" },
        ok: { command: "true" }
      })
      return Effect.gen(function* () {
        const catalog = yield* ProviderCatalog
        const statuses = yield* until((all) => all.every(({ state }) => state !== "checking"))
        assert.deepEqual(statuses.map(words).slice(1), [
          "ok (ok, acp, settings) ready",
          "wrong (wrong, acp, settings) unavailable"
        ])
        assert.include(statuses.at(-1)?.problem?.cause, "agents.wrong.comand: This is not known here.")
        assert.strictEqual((yield* Effect.flip(catalog.get(ProviderId.make("wrong")))).problem.code, "config-invalid")
        assert.strictEqual((yield* catalog.get(ProviderId.make("eliza"))).provider.name, "Eliza")
      }).pipe(Effect.provide(offering(folder)))
    }
  )

  it.live("have names in which nothing hides, wherever they stand", () => {
    const folder = temporaryFolder()
    settle(folder, {
      evil: { command: "true", name: "E\u202evil\u200b\n one" },
      long: { command: "true", name: "x".repeat(500) },
      blank: { command: "true", name: "\n" }
    })
    return Effect.gen(function* () {
      const [, ...all] = yield* (yield* ProviderCatalog).check
      assert.deepEqual(
        all.map(({ provider }) => provider.name),
        ["E<U+202E>vil<U+200B> one", `${"x".repeat(79)}…`, "blank"]
      )
    }).pipe(Effect.provide(offering(folder)))
  })

  it.live("come, change and go as the file is written, and stay while it can't be read", () => {
    const folder = temporaryFolder()
    const ids = (all: ReadonlyArray<ProviderStatus>) => all.map(({ provider }) => provider.id).join(" ")
    const settled = (wanted: string) =>
      until((all) => ids(all) === wanted && all.every(({ state }) => state !== "checking"))
    return Effect.gen(function* () {
      const catalog = yield* ProviderCatalog
      yield* settled("eliza")
      settle(folder, { mine: { command: "no-such-agent" } })
      assert.strictEqual((yield* settled("eliza mine"))[1]?.state, "unavailable")
      settle(folder, { mine: { command: "true" } })
      yield* until((all) => all[1]?.state === "ready" && all[1].commandLine === "true")
      writeFileSync(join(folder, "settings.json"), "{")
      assert.strictEqual((yield* catalog.get(ProviderId.make("mine"))).options.acp?.command, "true")
      assert.strictEqual(ids(yield* catalog.check), "eliza mine")
      rmSync(join(folder, "settings.json"))
      yield* settled("eliza")
      assert.strictEqual((yield* Effect.flip(catalog.get(ProviderId.make("mine")))).problem.code, "agent-not-found")
    }).pipe(Effect.provide(offering(folder)))
  })
})

it("no agent of the settings can be called as a built-in one", () => {
  const builtIn: ReadonlyArray<string> = builtInProviders("/state").map(({ provider }) => provider.id)
  assert.deepEqual([...reservedNames], [...builtIn, "custom"])
})
