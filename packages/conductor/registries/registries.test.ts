/** Real packages of the public registries, by the user's own cargo, npm and go: `npm run test:registries`. It needs the network. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import semver from "semver"
import { temporaryFolder } from "../../system/test/support/TemporaryFolder.ts"
import * as CargoEcosystem from "../src/ecosystems/cargo/CargoEcosystem.ts"
import * as SourceCache from "../src/ecosystems/ecosystem/SourceCache.ts"
import * as GoEcosystem from "../src/ecosystems/go/GoEcosystem.ts"
import * as NpmEcosystem from "../src/ecosystems/npm/NpmEcosystem.ts"

const cwd = temporaryFolder("empty")
const cache = temporaryFolder("cache")
const sources = SourceCache.make(cache)
const ecosystems = {
  cargo: CargoEcosystem.make(cache, sources),
  npm: NpmEcosystem.make(cache, sources),
  go: GoEcosystem.make(cache)
}

describe("The public registries", () => {
  for (const { ecosystem, manifest, name, range } of [
    { ecosystem: "cargo", name: "serde", range: "1", manifest: "Cargo.toml" },
    { ecosystem: "cargo", name: "tokio", range: "~1.40", manifest: "Cargo.toml" },
    { ecosystem: "cargo", name: "serde-json", range: "=1.0.100", manifest: "Cargo.toml" },
    { ecosystem: "npm", name: "zod", range: "^3", manifest: "package.json" },
    { ecosystem: "npm", name: "effect", range: undefined, manifest: "package.json" },
    { ecosystem: "go", name: "github.com/google/uuid", range: "^1.5", manifest: "go.mod" }
  ] as const)
    it.live(`have ${name} ${range ?? ""} of ${ecosystem}`, () =>
      Effect.gen(function* () {
        const source = yield* ecosystems[ecosystem].find({ name, cwd, ...(range !== undefined && { range }) })
        assert.strictEqual(source.name.replaceAll("_", "-"), name)
        if (range !== undefined) assert.isTrue(semver.satisfies(source.version, range), source.version)
        const text = readFileSync(join(source.path, manifest), "utf8")
        // A module of Go says its name, and not its version.
        assert.include(text, ecosystem === "go" ? name : source.version)
        // The second time it is on the disk.
        const again = yield* ecosystems[ecosystem].find({
          name,
          cwd,
          range: ecosystem === "cargo" ? `=${source.version}` : source.version
        })
        assert.strictEqual(again.path, source.path)
      })
    )

  it.live("do not have a package that nobody has published", () =>
    Effect.gen(function* () {
      const name = "signalbox-no-such-package"
      const crate = yield* Effect.flip(ecosystems.cargo.find({ name, cwd }))
      assert.include(crate.message, `There is no crate ${name}.`)
      const other = yield* Effect.flip(ecosystems.npm.find({ name, cwd }))
      assert.include(other.message, `There is no package ${name}.`)
    })
  )
})
