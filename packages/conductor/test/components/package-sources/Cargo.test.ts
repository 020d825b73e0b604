/** Crates of Rust, by a real Cargo, from each kind of registry that it knows. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "../../../../system/test/support/TemporaryFolder.ts"
import * as CargoEcosystem from "../../../src/ecosystems/cargo/CargoEcosystem.ts"
import * as SourceCache from "../../../src/ecosystems/ecosystem/SourceCache.ts"
import * as Crates from "./Crates.ts"

/** An ecosystem with a Cargo that knows nothing yet, and a project with this source. */
const start = Effect.fnUntraced(function* (source: string, lock?: string) {
  const { folder: home } = yield* Crates.ownCargoHome
  const cache = temporaryFolder("cache")
  const ecosystem = CargoEcosystem.make(cache, SourceCache.make(cache))
  const cwd = Crates.project(source, lock)
  const find = (name: string, range?: string, at = cwd) =>
    ecosystem.find({ name, cwd: at, ...(range !== undefined && { range }) })
  const problem = (name: string, range?: string) => Effect.map(Effect.flip(find(name, range)), ({ message }) => message)
  return { home, cache, cwd, find, problem }
})

const directory = (folder: string) => `directory = ${JSON.stringify(folder)}`

const versionIn = (path: string): string => {
  const [, version = ""] = /VERSION: &str = "([^"]*)"/.exec(readFileSync(join(path, "src/lib.rs"), "utf8")) ?? []
  return version
}

const locked = (version: string, checksum?: string) =>
  `version = 4\n[[package]]\nname = "greeting"\nversion = "${version}"\nsource = "registry+https://example.org/index"\n` +
  (checksum === undefined ? "" : `checksum = "${checksum}"\n`)

describe.skipIf(!Crates.cargoIsThere)("A crate", () => {
  it.live("of a folder of vendored crates is the newest one that will do, where it stands", () =>
    Effect.gen(function* () {
      const vendored = temporaryFolder("vendor")
      for (const version of ["1.0.0", "1.2.0", "1.2.3", "2.0.0", "3.0.0-beta.1"]) Crates.vendor(vendored, version)
      const { cache, cwd, find, problem } = yield* start(directory(vendored))
      const found = yield* Effect.forEach([undefined, "1", "~1.2.1", "=1.0.0", ">=1, <1.2.3"], (range) =>
        find("greeting", range)
      )
      assert.deepStrictEqual(
        found.map(({ version }) => version),
        ["2.0.0", "1.2.3", "1.2.3", "1.0.0", "1.2.0"]
      )
      for (const { path, version } of found) {
        assert.strictEqual(path, join(vendored, `greeting-${version}`))
        assert.strictEqual(versionIn(path), version)
      }
      assert.match(yield* problem("greeting", "^9"), /There is no crate greeting with a version that matches \^9/)
      assert.match(yield* problem("nothing-here"), /There is no crate nothing-here\./)
      assert.match(yield* problem("greeting", "latest"), /"latest" is no range of versions of greeting/)
      assert.match(yield* problem('x"\n[y'), /is no name of a crate/)
      // Nothing is left of the work, and the project is as it was.
      assert.deepStrictEqual(readdirSync(join(cache, "work")), [])
      assert.deepStrictEqual(readdirSync(cwd).toSorted(), [".cargo", "Cargo.toml", "src"])
    })
  )

  it.live("of a local registry is unpacked by Cargo, and found by either hyphen", () =>
    Effect.gen(function* () {
      const registry = temporaryFolder("registry")
      Crates.publish(registry, "2.1.0", "small-talk")
      const { find, home } = yield* start(`local-registry = ${JSON.stringify(registry)}`)
      const source = yield* find("small_talk")
      assert.deepInclude(source, { name: "small-talk", version: "2.1.0", isFixed: true })
      assert.isTrue(source.path.startsWith(join(home, "registry", "src")))
      assert.strictEqual(versionIn(source.path), "2.1.0")
    })
  )

  it.live("of a registry on loopback is fetched once, and is then there without it", () =>
    Effect.gen(function* () {
      const registry = temporaryFolder("registry")
      for (const version of ["1.0.0", "1.1.0"]) Crates.publish(registry, version)
      const served = yield* Crates.serve(registry)
      const { find, problem } = yield* start(`registry = "sparse+${served.url}index/"`)
      const source = yield* find("greeting", "1")
      assert.strictEqual(versionIn(source.path), "1.1.0")
      served.stop()
      assert.deepStrictEqual(yield* find("greeting", "=1.1.0"), source)
      const offline = yield* find("greeting", "1")
      assert.deepInclude(offline, { version: "1.1.0", path: source.path })
      assert.include(offline.notes.join(), "The registry could not be reached")
      assert.match(
        yield* problem("greeting", "=1.0.0"),
        /The registry can't be reached, and the crate greeting .* is not on this machine/
      )
    })
  )

  it.live("that the project uses is read in its version; one of its own where it stands", () =>
    Effect.gen(function* () {
      const vendored = temporaryFolder("vendor")
      for (const version of ["1.0.0", "2.0.0"]) Crates.vendor(vendored, version)
      const { cwd, find } = yield* start(directory(vendored))
      const own = join(cwd, "own-part")
      Crates.writeCrate(own, "0.3.0", "own-part")
      writeFileSync(
        join(cwd, "Cargo.toml"),
        '[package]\nname = "mine"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\ngreeting = "1"\nown-part = { path = "own-part" }\n'
      )
      execFileSync("cargo", ["generate-lockfile", "--offline"], {
        cwd,
        stdio: "ignore",
        env: { ...process.env, RUSTC: "rustc" }
      })
      const lock = readFileSync(join(cwd, "Cargo.lock"), "utf8")
      assert.deepInclude(yield* find("greeting"), { version: "1.0.0", path: join(vendored, "greeting-1.0.0") })
      assert.deepInclude(yield* find("greeting", undefined, join(cwd, "src")), { version: "1.0.0" })
      assert.deepInclude(yield* find("greeting", "*"), { version: "2.0.0" })
      assert.deepStrictEqual(yield* find("own-part"), {
        name: "own-part",
        version: "0.3.0",
        path: own,
        isFixed: false,
        notes: []
      })
      assert.strictEqual(readFileSync(join(cwd, "Cargo.lock"), "utf8"), lock)
    })
  )
})

describe("A crate that Cargo has", () => {
  it.live("unpacked is found without Cargo, in whichever registry", () =>
    Effect.gen(function* () {
      const { find, home } = yield* start(directory("/nowhere"), locked("1.4.0"))
      const path = join(home, "registry", "src", "127.0.0.1-0123456789abcdef", "greeting-1.4.0")
      mkdirSync(path, { recursive: true })
      Crates.writeCrate(path, "1.4.0")
      writeFileSync(join(path, ".cargo-ok"), "")
      assert.deepStrictEqual(yield* find("greeting"), {
        name: "greeting",
        version: "1.4.0",
        path,
        isFixed: true,
        notes: []
      })
    })
  )

  it.live("downloaded is unpacked by us if it is the one in the lock file, and refused otherwise", () =>
    Effect.gen(function* () {
      const { archive, checksum } = Crates.packed("1.4.0")
      for (const isRight of [true, false]) {
        const { cache, find, home, problem } = yield* start(
          directory("/nowhere"),
          locked("1.4.0", isRight ? checksum : "0".repeat(64))
        )
        const folder = join(home, "registry", "cache", "example.org-0123456789abcdef")
        mkdirSync(folder, { recursive: true })
        writeFileSync(join(folder, "greeting-1.4.0.crate"), archive)
        if (isRight) {
          const { path } = yield* find("greeting")
          assert.isTrue(path.startsWith(cache))
          assert.strictEqual(versionIn(path), "1.4.0")
          assert.isTrue(existsSync(join(path, "examples", "hello.rs")))
          assert.strictEqual((yield* find("greeting")).path, path)
        } else assert.match(yield* problem("greeting"), /is not the one that was published: its sha256 is another one/)
      }
    })
  )
})
