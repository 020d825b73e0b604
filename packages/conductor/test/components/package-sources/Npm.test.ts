/** Packages of npm, by a real npm, from a registry on loopback. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "../../../../system/test/support/TemporaryFolder.ts"
import * as SourceCache from "../../../src/ecosystems/ecosystem/SourceCache.ts"
import * as NpmEcosystem from "../../../src/ecosystems/npm/NpmEcosystem.ts"
import * as NpmRegistry from "./NpmRegistry.ts"

const published = (name: string, ...versions: ReadonlyArray<string>) =>
  versions.map((version) => ({ version, archive: NpmRegistry.archiveOf(name, version) }))

/** An ecosystem with a registry, and what it says of a query: the source, or what is wrong. */
const start = Effect.fnUntraced(function* (packages: Parameters<typeof NpmRegistry.serve>[0]) {
  const registry = yield* NpmRegistry.serve(packages)
  const cache = temporaryFolder("cache")
  const ecosystem = NpmEcosystem.make(cache, SourceCache.make(cache))
  const cwd = NpmRegistry.projectOf(registry.url)
  const find = (name: string, range?: string) => ecosystem.find({ name, cwd, ...(range !== undefined && { range }) })
  const problem = (name: string, range?: string) => Effect.map(Effect.flip(find(name, range)), ({ message }) => message)
  return { ...registry, cache, cwd, find, problem }
})

describe.skipIf(!NpmRegistry.npmIsThere)("A package of npm", () => {
  it.live("is the newest one that will do, unpacked, and afterwards there without a registry", () =>
    Effect.gen(function* () {
      const { cache, cwd, find, problem, stop } = yield* start({
        "@scope/left": published("@scope/left", "1.0.0", "1.2.0", "2.0.0-rc.1", "2.0.0", "1.3.0")
      })
      const source = yield* find("@scope/left", "^1.0.0")
      assert.deepInclude(source, { name: "@scope/left", version: "1.3.0", isFixed: true })
      assert.strictEqual(readFileSync(join(source.path, "src/index.js"), "utf8"), 'export const version = "1.3.0"\n')
      assert.include(source.notes.join(), "https://example.org/repo.git, folder pkg")
      // Nothing is left but the source, and the project is as it was.
      assert.deepStrictEqual(readdirSync(join(cache, "work")), [])
      assert.deepStrictEqual(readdirSync(cwd).toSorted(), [".npmrc", "package.json"])
      assert.strictEqual((yield* find("@scope/left", "1.2.0")).version, "1.2.0")
      stop()
      // Npm may answer out of its own cache.
      process.env["npm_config_cache"] = temporaryFolder("npm-cache")
      assert.strictEqual((yield* find("@scope/left", "1.2.0")).version, "1.2.0")
      const offline = yield* find("@scope/left", "1")
      assert.strictEqual(offline.version, "1.3.0")
      assert.include(offline.notes.join(), "The registry could not be reached")
      assert.match(
        yield* problem("other"),
        /The registry can't be reached, and the package other is not on this machine/
      )
    })
  )

  it.live("that does not exist is named, with the versions that there are", () =>
    Effect.gen(function* () {
      const { asked, problem } = yield* start({ left: published("left", "1.0.0") })
      assert.match(yield* problem("none"), /There is no package none\. .*404/)
      assert.match(
        yield* problem("left", "^9"),
        /There is no package left with a version that matches \^9. The newest ones are 1.0.0/
      )
      const before = asked.length
      assert.match(yield* problem("left", "one two"), /"one two" is no range of versions of left/)
      assert.match(yield* problem("../left"), /is no name of a package of npm/)
      assert.match(yield* problem("--registry=x"), /is no name of a package of npm/)
      assert.lengthOf(asked, before)
    })
  )

  it.live("whose archive is another one, or leads outside, is refused and leaves nothing", () =>
    Effect.gen(function* () {
      const integrity = `sha512-${Buffer.alloc(64).toString("base64")}`
      const out = { path: "package/../../../out", text: "x" }
      const { cache, problem } = yield* start({
        changed: published("changed", "1.0.0").map((one) => ({ ...one, integrity })),
        leaving: [{ version: "1.0.0", archive: NpmRegistry.archiveOf("leaving", "1.0.0", out) }]
      })
      assert.match(yield* problem("changed", "1.0.0"), /changed 1.0.0 could not be fetched. .*EINTEGRITY/)
      assert.match(
        yield* problem("leaving", "1.0.0"),
        /The archive of leaving 1.0.0 was not unpacked. "package\/..\/..\/..\/out" in it would lie outside of its folder/
      )
      for (const name of ["changed", "leaving"]) {
        const folder = join(cache, "sources", "npm", name)
        assert.deepStrictEqual(existsSync(folder) ? readdirSync(folder) : [], [])
      }
    })
  )
})

describe("A package of a project", () => {
  it.live("is the installed one, and nobody is asked", () =>
    Effect.gen(function* () {
      const { asked, cwd, find } = yield* start({})
      const path = join(cwd, "node_modules", "left")
      mkdirSync(path, { recursive: true })
      writeFileSync(join(path, "package.json"), '{"name":"left","version":"1.1.0"}')
      const folder = join(cwd, "deep", "in")
      mkdirSync(folder, { recursive: true })
      assert.deepStrictEqual(yield* find("left"), { name: "left", version: "1.1.0", path, isFixed: true, notes: [] })
      assert.deepStrictEqual(asked, [])
    })
  )

  it.live("must have the checksum of package-lock.json", () =>
    Effect.gen(function* () {
      const cache = temporaryFolder("cache")
      const file = join(cache, "left.tgz")
      writeFileSync(file, NpmRegistry.archiveOf("left", "1.0.0"))
      const problem = yield* Effect.flip(
        SourceCache.make(cache).add({
          ecosystem: "npm",
          name: "left",
          version: "1.0.0",
          file,
          checksum: { algorithm: "sha512", encoding: "base64", digest: "other" }
        })
      )
      assert.match(problem.message, /is not the one that was published: its sha512 is another one/)
      assert.isUndefined(yield* SourceCache.make(cache).get("npm", "left", "1.0.0"))
    })
  )
})
