/** Profiles of agents in a real settings file: read as they are now, and chosen without touching anything else. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { ProviderId } from "@signalbox/contracts/Provider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as ProfilesOfSettings from "../../../src/provider/catalog/ProfilesOfSettings.ts"
import { SettingsProfiles } from "../../../src/provider/Services/SettingsProfiles.ts"
import * as SettingsFile from "../../../src/settings/SettingsFile.ts"
import { temporaryFolder } from "../drivers/support/Programs.ts"

const cursor = ProviderId.make("cursor")
const mine = ProviderId.make("mine")

const setUp = Effect.fnUntraced(function* (content: object) {
  const folder = temporaryFolder("profiles")
  const path = join(folder, "settings.json")
  writeFileSync(path, JSON.stringify(content))
  const settings = SettingsFile.layer({ folder }).pipe(Layer.provide(NodeServices.layer))
  const context = yield* Layer.build(Layer.provideMerge(ProfilesOfSettings.layer, settings))
  return yield* Effect.gen(function* () {
    const file = yield* SettingsFile.SettingsFile
    const { of } = yield* SettingsProfiles
    return { file, of, path, stored: (): unknown => JSON.parse(readFileSync(path, "utf8")) }
  }).pipe(Effect.provide(context))
})

describe("The profile of an agent", () => {
  it.live("is chosen in its entry, and counts at once", () =>
    Effect.gen(function* () {
      const entry = { command: "my-agent", env: { KEY: "v" }, name: "Mine" }
      const { file, of, stored } = yield* setUp({ agents: { mine: entry }, idleMinutes: 5 })
      assert.strictEqual(yield* of(mine), "ask")
      yield* ProfilesOfSettings.put(file, mine, "edits")
      assert.strictEqual(yield* of(mine), "edits")
      assert.deepStrictEqual(stored(), { agents: { mine: { ...entry, permissions: "edits" } }, idleMinutes: 5 })
    })
  )

  it.live("of the built-in Cursor stands beside its options", () =>
    Effect.gen(function* () {
      const { file, of, stored } = yield* setUp({ providerOptions: { cursor: { args: ["-f"] } } })
      yield* ProfilesOfSettings.put(file, cursor, "bypass")
      assert.strictEqual(yield* of(cursor), "bypass")
      assert.deepStrictEqual(stored(), { providerOptions: { cursor: { args: ["-f"], permissions: "bypass" } } })
    })
  )

  it.live("is not chosen where the entry is missing or has a fault, and nothing is lost then", () =>
    Effect.gen(function* () {
      const content = { agents: { mine: { command: 1 } }, providerOptions: { cursor: { args: "x" } } }
      const { file, of, stored } = yield* setUp(content)
      for (const id of [mine, cursor, ProviderId.make("other"), ProviderId.make("constructor")]) {
        const { problem } = yield* Effect.flip(ProfilesOfSettings.put(file, id, "bypass"))
        assert.strictEqual(problem.title, "The profile was not changed.")
      }
      assert.deepStrictEqual(stored(), content)
      assert.isUndefined(yield* of(mine))
      assert.strictEqual(yield* of(cursor), "ask")
    })
  )
})
