/** Which packages are the dependencies of a project, and where they are found. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { mkdirSync, readFileSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "../../../../system/test/support/TemporaryFolder.ts"
import * as Crates from "../package-sources/Crates.ts"
import { gathered } from "./Gathered.ts"
import * as Projects from "./Projects.ts"

const knowing = { files: { "skills/use/SKILL.md": Projects.skill("use", "Says how to use it.") } }

describe("Dependencies of npm", () => {
  it.live("are those that the project and its members name, and no others", () =>
    Effect.gen(function* () {
      const cwd = Projects.npm(
        { direct: knowing, dev: knowing, optional: knowing, "@scope/of-member": knowing, indirect: knowing },
        {
          dependencies: { direct: "1", missing: "1", linked: "file:../linked" },
          devDependencies: { dev: "1", "../outside": "1" },
          optionalDependencies: { optional: "1" },
          workspaces: ["apps/*", "../elsewhere", "**/deep"]
        }
      )
      const linked = temporaryFolder("linked")
      Projects.write(linked, { "package.json": '{"name":"linked","version":"2.0.0"}', ...knowing.files })
      symlinkSync(linked, join(cwd, "node_modules/linked"))
      Projects.write(cwd, {
        "apps/web/package.json": '{"dependencies":{"@scope/of-member":"1","nested":"1"}}',
        "apps/web/node_modules/nested/package.json": '{"name":"nested","version":"3.0.0"}',
        "apps/web/node_modules/nested/skills/use/SKILL.md": Projects.skill("use", "Nested.")
      })
      const { found, names, warnings } = yield* gathered(join(cwd))
      assert.deepStrictEqual(names, ["@scope/of-member", "dev", "direct", "linked", "nested", "optional"])
      assert.strictEqual(found.find(({ name }) => name === "linked")?.folder, linked)
      assert.deepStrictEqual(warnings, [
        '"../outside" is no name of a package of npm.',
        'The workspace\'s pattern "../elsewhere" is not followed.',
        'The workspace\'s pattern "**/deep" is not followed.'
      ])
      // From a folder in the project, its own dependencies count.
      mkdirSync(join(cwd, "apps/web/src"))
      assert.deepStrictEqual((yield* gathered(join(cwd, "apps/web/src"))).names, ["@scope/of-member", "nested"])
    })
  )

  it.live("are none where there is no project, or where nobody can read its manifest", () =>
    Effect.gen(function* () {
      const folder = temporaryFolder("empty")
      assert.deepStrictEqual(yield* gathered(folder), { found: [], names: [], warnings: [] })
      Projects.write(folder, { "package.json": "{" })
      assert.deepStrictEqual((yield* gathered(folder)).found, [])
    })
  )
})

const crate = (name: string, version = "1.0.0", more = ""): Projects.Files => ({
  "Cargo.toml": `[package]\nname = "${name}"\nversion = "${version}"\nedition = "2021"\n${more}`,
  "src/lib.rs": "",
  ...knowing.files
})

const locked = (name: string, version = "1.0.0"): string =>
  `[[package]]\nname = "${name}"\nversion = "${version}"\nsource = "registry+https://github.com/rust-lang/crates.io-index"\n`

describe("Dependencies of Cargo", () => {
  it.live("are found by path, in Cargo's folder and in vendor, in the locked version, without Cargo", () =>
    Effect.gen(function* () {
      const { folder: home } = yield* Crates.ownCargoHome
      const cwd = temporaryFolder("project")
      const manifest = [
        '[workspace]\nmembers = ["crates/*"]\n[workspace.dependencies]\nshared = "1"\nnear = { path = "near" }',
        '[package]\nname = "mine"\nversion = "0.1.0"',
        '[dependencies]\nin_home = "1"\nrenamed = { package = "real-name", version = "2" }\nnear = { workspace = true }',
        '[build-dependencies]\nbuild = "1"\n[target."cfg(unix)".dev-dependencies]\non-unix = "1"'
      ].join("\n")
      Projects.write(cwd, {
        "Cargo.toml": manifest,
        "Cargo.lock": `version = 4\n${[
          locked("in-home", "1.0.1"),
          locked("in-home", "2.0.0"),
          locked("real-name", "2.0.0"),
          locked("build"),
          locked("on-unix"),
          locked("shared"),
          locked("indirect")
        ].join("")}`,
        "crates/one/Cargo.toml": '[package]\nname = "one"\nversion = "0.1.0"\n[dependencies]\nshared.workspace = true\n'
      })
      Projects.write(join(cwd, "near"), crate("near"))
      const registry = join(home, "registry/src/mirror.example-0000")
      for (const [name, version] of [
        ["in-home", "1.0.1"],
        ["in-home", "2.0.0"],
        ["real-name", "2.0.0"],
        ["shared", "1.0.0"],
        ["indirect", "1.0.0"]
      ] as const)
        Projects.write(join(registry, `${name}-${version}`), { ...crate(name, version), ".cargo-ok": "" })
      Projects.write(join(cwd, "vendor/build"), crate("build"))
      Projects.write(join(cwd, "vendor/on-unix-1.0.0"), crate("on-unix"))
      const { found, warnings } = yield* gathered(cwd)
      assert.deepStrictEqual(
        found.map(({ name, version }) => `${name} ${version}`),
        ["build 1.0.0", "in-home 1.0.1", "near 1.0.0", "on-unix 1.0.0", "real-name 2.0.0", "shared 1.0.0"]
      )
      assert.deepStrictEqual(warnings, [])
    })
  )

  it.live("without a manifest that can be read are none, with a warning", () =>
    Effect.gen(function* () {
      const cwd = temporaryFolder("project")
      Projects.write(cwd, { "Cargo.toml": "[dependencies\n" })
      const { found, warnings } = yield* gathered(cwd)
      assert.deepStrictEqual(found, [])
      assert.deepStrictEqual(warnings, [`${join(cwd, "Cargo.toml")} can't be read.`])
    })
  )
})

describe.skipIf(!Crates.cargoIsThere)("Dependencies whose sources settings replace", () => {
  it.live("are found by Cargo, which fetches nothing", () =>
    Effect.gen(function* () {
      yield* Crates.ownCargoHome
      const vendored = temporaryFolder("elsewhere")
      const folder = Crates.vendor(vendored, "1.2.0")
      Projects.write(folder, knowing.files)
      const source = "registry+https://github.com/rust-lang/crates.io-index"
      const cwd = Crates.project(
        `directory = ${JSON.stringify(vendored)}`,
        `version = 4\n[[package]]\nname = "greeting"\nversion = "1.2.0"\nsource = "${source}"\n` +
          `checksum = "${JSON.parse(readFileSync(join(folder, ".cargo-checksum.json"), "utf8")).package}"\n` +
          '[[package]]\nname = "mine"\nversion = "0.1.0"\ndependencies = ["greeting"]\n'
      )
      Projects.write(cwd, {
        "Cargo.toml": '[package]\nname = "mine"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\ngreeting = "1"\n'
      })
      const { found } = yield* gathered(cwd)
      assert.deepStrictEqual(
        found.map((one) => [one.name, one.version, one.folder]),
        [["greeting", "1.2.0", folder]]
      )
    })
  )
})
