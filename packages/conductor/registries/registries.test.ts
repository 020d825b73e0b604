/** Real packages of the public registries, by the user's own cargo and npm: `npm run test:registries`. It needs the network. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import semver from "semver"
import { temporaryFolder } from "../../system/test/support/TemporaryFolder.ts"
import * as CargoEcosystem from "../src/components/package-sources/cargo/CargoEcosystem.ts"
import * as SourceCache from "../src/components/package-sources/ecosystem/SourceCache.ts"
import * as NpmEcosystem from "../src/components/package-sources/npm/NpmEcosystem.ts"

const cwd = temporaryFolder("empty")
const cache = temporaryFolder("cache")
const sources = SourceCache.make(cache)
const ecosystems = { cargo: CargoEcosystem.make(cache, sources), npm: NpmEcosystem.make(cache, sources) }

describe("The public registries", () => {
  for (const { ecosystem, manifest, name, range } of [
    { ecosystem: "cargo", name: "serde", range: "1", manifest: "Cargo.toml" },
    { ecosystem: "cargo", name: "tokio", range: "~1.40", manifest: "Cargo.toml" },
    { ecosystem: "cargo", name: "serde-json", range: "=1.0.100", manifest: "Cargo.toml" },
    { ecosystem: "npm", name: "zod", range: "^3", manifest: "package.json" },
    { ecosystem: "npm", name: "effect", range: undefined, manifest: "package.json" }
  ] as const)
    it.live(`have ${name} ${range ?? ""} of ${ecosystem}`, () =>
      Effect.gen(function* () {
        const source = yield* ecosystems[ecosystem].find({ name, cwd, ...(range !== undefined && { range }) })
        assert.strictEqual(source.name.replaceAll("_", "-"), name)
        if (range !== undefined) assert.isTrue(semver.satisfies(source.version, range), source.version)
        assert.include(readFileSync(join(source.path, manifest), "utf8"), source.version)
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
