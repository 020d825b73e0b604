/** The start of a Cursor: as the settings and one run describe it, and as the page shows it. */
import { assert, describe, it } from "@effect/vitest"
import { ProviderId } from "@signalbox/contracts/Provider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Drivers from "../../../src/provider/drivers/Drivers.ts"
import { builtInProviders } from "../../../src/provider/catalog/BuiltInProviders.ts"
import * as Registry from "../../../src/provider/Layers/ProviderAdapterRegistry.ts"
import * as Catalog from "../../../src/provider/catalog/ProviderCatalog.ts"
import { ProviderAdapterRegistry } from "../../../src/provider/Services/ProviderAdapterRegistry.ts"
import { ProviderCatalog } from "../../../src/provider/Services/ProviderCatalog.ts"
import * as SettingsFile from "../../../src/settings/SettingsFile.ts"
import { eventsOf } from "../../cli/support/Runs.ts"
import { call } from "../../cli/support/Signalbox.ts"
import { makeMemoryAdapter } from "./support/MemoryAdapter.ts"
import { emulator, emulatorFolder, machine, script, systemFolders, temporaryFolder } from "./support/Programs.ts"

const registry = Layer.effect(
  ProviderAdapterRegistry,
  Effect.gen(function* () {
    return Registry.make({ cursor: yield* makeMemoryAdapter("cursor"), acp: yield* makeMemoryAdapter("acp") })
  })
)

/** The built-in Cursor and what these settings say; there is a Cursor in PATH where nobody is signed in. */
const agents = (settings: object) => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, "settings.json"), JSON.stringify(settings))
  const env = {
    PATH: `${emulatorFolder}:${systemFolders}`,
    FAKE_CURSOR_STATE: temporaryFolder(),
    FAKE_CURSOR_TIME_SCALE: "0",
    FAKE_CURSOR_AUTH: "none"
  }
  return Catalog.layerOf(builtInProviders(folder).filter(({ provider }) => provider.id === "cursor")).pipe(
    Layer.provide([registry, SettingsFile.layer({ folder })]),
    Layer.provideMerge(machine(env))
  )
}

const launchOf = Effect.fnUntraced(function* (id: string) {
  const { options, provider } = yield* (yield* ProviderCatalog).get(ProviderId.make(id))
  const profile = (yield* Drivers.profiles)(provider.kind)
  const { args, command, env } = yield* profile.launch({ provider, providerOptions: options, cwd: "/" })
  return { kind: provider.kind, command, args, account: env["CURSOR_CONFIG_DIR"] }
})

describe("providerOptions.cursor in the settings", () => {
  it.live("starts the built-in Cursor and one more for each account, each as it is said", () => {
    const folder = temporaryFolder()
    const other = join(folder, "my-cursor")
    symlinkSync(emulator, other)
    const work = {
      binaryPath: other,
      args: ["--force"],
      env: { CURSOR_CONFIG_DIR: "/home/ann/my work", CURSOR_API_KEY: "" }
    }
    return Effect.gen(function* () {
      assert.deepEqual(yield* launchOf("cursor"), {
        kind: "cursor",
        command: emulator,
        args: ["-e", "https://cursor.example", "acp"],
        account: undefined
      })
      assert.deepEqual(yield* launchOf("work"), {
        kind: "cursor",
        command: other,
        args: ["--force", "acp"],
        account: "/home/ann/my work"
      })
      assert.deepEqual((yield* launchOf("home")).args, ["acp"])
      const statuses = yield* (yield* ProviderCatalog).check
      assert.deepEqual(
        statuses.map(({ commandLine, provider, variables }) => [provider.name, commandLine, variables]),
        [
          ["Cursor", "cursor-agent -e https://cursor.example acp", undefined],
          ["Cursor (work)", `${other} --force acp`, ["CURSOR_CONFIG_DIR", "CURSOR_API_KEY"]],
          ["home", "cursor-agent acp", undefined]
        ]
      )
      // A login without the variable would be that of another account.
      const [, status] = statuses
      assert.strictEqual(status?.problem?.nextSteps[0]?.command, `CURSOR_CONFIG_DIR='/home/ann/my work' ${other} login`)
    }).pipe(
      Effect.provide(
        agents({
          providerOptions: { cursor: { apiEndpoint: "https://cursor.example" } },
          agents: {
            work: { name: "Cursor (work)", providerOptions: { cursor: work } },
            home: { providerOptions: { cursor: {} } }
          }
        })
      )
    )
  })

  it.live("shows no secret of it", () =>
    Effect.gen(function* () {
      const statuses = yield* (yield* ProviderCatalog).check
      const told = JSON.stringify(statuses)
      assert.include(told, "CURSOR_API_KEY")
      assert.notInclude(told, "s3cret")
    }).pipe(
      Effect.provide(
        agents({
          agents: {
            work: {
              providerOptions: { cursor: { args: ["--api-key", "s3cret-1"], env: { CURSOR_API_KEY: "s3cret-2" } } }
            }
          }
        })
      )
    )
  )

  it.live("that are wrong start nothing: they may have meant another account", () =>
    Effect.gen(function* () {
      const catalog = yield* ProviderCatalog
      for (const id of ["cursor", "work"]) {
        const { problem } = yield* Effect.flip(catalog.get(ProviderId.make(id)))
        assert.strictEqual(problem.code, "config-invalid", id)
      }
      const { problem } = yield* Effect.flip(catalog.get(ProviderId.make("cursor")))
      assert.strictEqual(problem.cause, "Line 1, providerOptions.cursor.apiEndpoint: Expected a URL of http or https.")
    }).pipe(
      Effect.provide(
        agents({
          providerOptions: { cursor: { apiEndpoint: "cursor.example" } },
          agents: { work: { providerOptions: { cursor: { binarypath: "/opt/agent" } } } }
        })
      )
    )
  )

  it.live("go with nothing that is another agent's", () =>
    Effect.gen(function* () {
      const catalog = yield* ProviderCatalog
      const causes = yield* Effect.forEach(["both", "files", "none"], (id) =>
        Effect.map(Effect.flip(catalog.get(ProviderId.make(id))), ({ problem }) => problem.cause)
      )
      assert.deepEqual(causes, [
        "Line 1, agents.both: Expected one of command, url and providerOptions.",
        "Line 1, agents.files: Expected no files beside providerOptions.",
        "Line 1, agents.none.providerOptions.cursor: This is missing."
      ])
    }).pipe(
      Effect.provide(
        agents({
          agents: {
            both: { command: "x", providerOptions: { cursor: {} } },
            files: { files: "read", providerOptions: { cursor: {} } },
            none: { providerOptions: {} }
          }
        })
      )
    )
  )
})

describe("signalbox run --option", () => {
  const wrapper = () =>
    script(
      temporaryFolder(),
      "my-cursor",
      `echo "$*|$CURSOR_CONFIG_DIR" >> "$(dirname "$0")/starts"; exec "${emulator}" "$@"`
    )

  it.live("starts Cursor so, over what the settings say, and names it in the hint without values of variables", () =>
    Effect.gen(function* () {
      const program = wrapper()
      const folder = temporaryFolder()
      const state = temporaryFolder()
      const settings = { providerOptions: { cursor: { binaryPath: "/no/such/cursor", args: ["--force"] } } }
      writeFileSync(join(state, "settings.json"), JSON.stringify(settings))
      const options = ["apiEndpoint=https://cursor.example", "args=--debug", `env.CURSOR_CONFIG_DIR=${folder}`]
      const flags = [`binaryPath=${program}`, ...options].flatMap((option) => ["--option", option])
      const ran = yield* call(["run", ...flags, "--json", "hello"], {
        env: { SIGNALBOX_STATE_DIR: state, FAKE_CURSOR_STATE: temporaryFolder() }
      })
      assert.strictEqual(ran.code, 0, ran.stderr)
      assert.strictEqual(eventsOf(ran).at(-1)?.type, "turn.completed")
      const starts = readFileSync(join(program, "..", "starts"), "utf8")
        .trim()
        .split("\n")
      assert.strictEqual(starts.at(-1), `-e https://cursor.example --force --debug acp|${folder}`)
      assert.include(ran.stderr, "--option 'apiEndpoint=https://cursor.example' --option 'args=--debug'")
      assert.notInclude(ran.stderr, `CURSOR_CONFIG_DIR=${folder}`)
    })
  )

  it.live.each([
    [["--option", "binaryPath"], '--option "binaryPath" is not of the form NAME=VALUE.'],
    [
      ["--option", "binarypath=x"],
      "binarypath is no option of Cursor, which are binaryPath, apiEndpoint, args and env.NAME."
    ],
    [["--option", "env.=x"], "env. is no option of Cursor"],
    [
      ["--provider", "eliza", "--option", "binaryPath=x"],
      "binaryPath is no option of an agent that is given by its command line"
    ]
  ] as const)("is refused where it says nothing: %j", ([flags, words]) =>
    Effect.gen(function* () {
      const refused = yield* call(["run", ...flags, "hello"])
      assert.strictEqual(refused.code, 2)
      assert.include(refused.stderr.replaceAll(/\s+/g, " "), words)
    })
  )
})
