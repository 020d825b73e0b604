/** The registry's format as it is read, the command that comes of an entry, and what an archive may hold. */
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import * as ArchiveEntries from "@signalbox/archive/ArchiveEntries"
import * as InstallPlans from "../../src/registry/InstallPlans.ts"
import * as RegistryFormat from "../../src/registry/RegistryFormat.ts"

const machine = { platform: "linux-x86_64", folder: "/state/agents-installed" }
const archive = "https://example.com/agent-1.2.3.tar.gz"
const sha256 = "A".repeat(64)

const read = (...agents: ReadonlyArray<unknown>) =>
  Result.getOrThrow(RegistryFormat.parse(JSON.stringify({ version: "1.0.0", agents, extensions: [] })))

/** The command of an entry, or why there is none. */
const command = (distribution: object, version: string | undefined = "1.2.3") => {
  const { entries, unreadable } = read({ id: "mine", name: "Mine", description: "", version, distribution })
  const [entry] = entries
  if (entry === undefined) return `unreadable: ${unreadable[0]}`
  return Result.match(InstallPlans.plan(entry, machine), {
    onSuccess: ({ args, command }) => [command, ...args].join(" "),
    onFailure: (reason) => `no: ${reason}`
  })
}

const binary = (target: object, platform = machine.platform) => ({
  binary: { [platform]: { archive, cmd: "./bin/mine", args: ["acp"], ...target } }
})

describe("the registry's format", () => {
  it("[125] leaves what it does not know, and one bad entry takes no other with it", () => {
    const good = { id: "good", name: "Good", version: "1.0.0", distribution: { npx: { package: "good" } }, preview: {} }
    const { entries, unreadable } = read(
      good,
      { id: "Bad Id", name: "Bad", distribution: {} },
      { ...good, id: "later", shape: "new", distribution: { docker: { image: "x" } } },
      null,
      good
    )
    assert.deepEqual(
      entries.map(({ id }) => id),
      ["good", "later"]
    )
    assert.strictEqual(unreadable.length, 3)
    assert.match(unreadable[0] ?? "", /^Bad Id: /)
    assert.match(unreadable[1] ?? "", /^Entry 4: /)
    assert.strictEqual(unreadable[2], "good: There is another of this id.")
  })

  it("is distinguished from what is none", () => {
    assert.isTrue(Result.isFailure(RegistryFormat.parse("<html>")))
    assert.isTrue(Result.isFailure(RegistryFormat.parse("[]")))
    assert.isTrue(Result.isFailure(RegistryFormat.parse('{"agents":{}}')))
  })

  it("is that of the registry that comes with us", () => {
    const shipped = fileURLToPath(new URL("../../registry/generated/registry.json", import.meta.url))
    const { entries, unreadable } = Result.getOrThrow(RegistryFormat.parse(readFileSync(shipped, "utf8")))
    assert.deepEqual(unreadable, [])
    const installable = entries.filter((entry) => Result.isSuccess(InstallPlans.plan(entry, machine)))
    assert.includeMembers(
      installable.map(({ id }) => id),
      ["claude-acp", "codex-acp", "cursor", "fast-agent", "gemini", "opencode"]
    )
    const without = entries.filter((entry) => !installable.includes(entry)).map(({ distribution }) => distribution)
    for (const distribution of without) assert.deepEqual(distribution, { binary: {} })
  })
})

describe("the command of an entry", () => {
  it("[125] pins a package of npm to exactly one version: its own, else the entry's", () => {
    assert.strictEqual(command({ npx: { package: "@s/mine@2.0.1", args: ["--acp"] } }), "npx -y @s/mine@2.0.1 --acp")
    assert.strictEqual(command({ npx: { package: "@s/mine" } }), "npx -y @s/mine@1.2.3")
    assert.strictEqual(
      command({ npx: { package: "mine@1.2.3-rc.1", cmd: "run", args: ["x"] } }),
      "npx -y --package mine@1.2.3-rc.1 run x"
    )
    for (const version of ["latest", "^1.2.3", "1", "next", ""])
      assert.match(command({ npx: { package: `mine@${version}` } }), /^no: It names no exact version/)
    const { entries } = read({ id: "mine", name: "Mine", distribution: { npx: { package: "mine" } } })
    const [entry] = entries
    assert.isDefined(entry)
    assert.isTrue(Result.isFailure(InstallPlans.plan(entry, machine)))
  })

  it("says what npm has said of a package, as far as it can be read", () => {
    const integrity = `sha512-${"a".repeat(86)}==`
    const told = (npx: object) => {
      const [entry] = read({ id: "mine", name: "Mine", version: "1.2.3", distribution: { npx } }).entries
      assert.isDefined(entry)
      const { needs, ...plan } = { needs: undefined, ...Result.getOrThrow(InstallPlans.plan(entry, machine)) }
      return [needs, "integrity" in plan ? plan.integrity : undefined]
    }
    assert.deepEqual(told({ package: "mine", integrity, engines: { node: ">=22" } }), ["Node.js >=22", integrity])
    for (const engines of [null, "22", { node: 22 }, { node: "" }, { node: "2".repeat(201) }, []])
      assert.deepEqual(told({ package: "mine", engines }), [undefined, undefined])
    for (const integrity of [7, "", "sha512-abc", "sha1-abc", {}])
      assert.deepEqual(told({ package: "mine", integrity }), [undefined, undefined])
  })

  it("[125] does the same with one of PyPI", () => {
    assert.strictEqual(command({ uvx: { package: "mine==2.0.1", args: ["-x"] } }), "uvx mine==2.0.1 -x")
    assert.strictEqual(command({ uvx: { package: "mine@2.0.1" } }), "uvx mine@2.0.1")
    assert.strictEqual(command({ uvx: { package: "mine" } }), "uvx mine==1.2.3")
    assert.strictEqual(command({ uvx: { package: "mine", cmd: "serve" } }), "uvx --from mine==1.2.3 serve")
    assert.match(command({ uvx: { package: "mine==1.*" } }), /^no: /)
  })

  it("[125] is a download for this platform, and none where there is none for it", () => {
    assert.strictEqual(command(binary({})), "/state/agents-installed/mine/1.2.3/bin/mine acp")
    assert.strictEqual(
      command(binary({}, "darwin-aarch64")),
      "no: It is not offered for linux-x86_64, only for darwin-aarch64."
    )
    assert.match(command({ binary: {} }), /^no: Where it is loaded from is not known/)
    assert.match(command({}), /^no: How it is run is not known/)
    assert.strictEqual(InstallPlans.platformOf("linux", "x64"), "linux-x86_64")
    assert.strictEqual(InstallPlans.platformOf("darwin", "arm64"), "darwin-aarch64")
    assert.strictEqual(InstallPlans.platformOf("freebsd", "riscv64"), "freebsd-riscv64")
  })

  it("[125] comes from what can be checked, where there is a choice", () => {
    const npx = { package: "mine" }
    assert.match(command({ ...binary({ sha256 }), npx }), /bin\/mine acp$/)
    assert.strictEqual(command({ ...binary({}), npx }), "npx -y mine@1.2.3")
    assert.match(command({ ...binary({}), npx: { package: "mine@latest" } }), /bin\/mine acp$/)
  })

  it("never leads out of its folder, nor to an address that anybody on the way could change", () => {
    for (const cmd of ["../mine", "/bin/sh", "./bin/../../mine", "."])
      assert.strictEqual(command(binary({ cmd })), "no: Its command would lie outside of its own folder.")
    for (const version of ["../1", "1/2", "", ".."]) assert.match(command(binary({}), version), /^unreadable: mine: /)
    assert.match(command(binary({ archive: "http://example.com/a.zip" })), /^no: .*it is not https\.$/)
    assert.match(command(binary({ archive: "file:///etc/passwd" })), /^no: .*it is not https\.$/)
    assert.match(command(binary({ archive: "https://example.com/a.dmg" })), /^no: .*can't be unpacked\.$/)
    assert.match(command({ npx: { package: "--help" } }), /^unreadable: mine: /)
    assert.match(command(binary({ sha256: "abc" })), /^unreadable: mine: /)
  })
})

describe("what an archive holds", () => {
  const file = (path: string, size = 1) => ({ path, type: "file" as const, size })
  const link = (path: string, target: string) => ({ path, type: "symlink" as const, target, size: 0 })
  const all = (...entries: ReadonlyArray<ArchiveEntries.ArchiveEntry>) => ArchiveEntries.refusal(entries)

  it("is taken where all of it stays within its folder", () => {
    assert.isUndefined(
      all(
        file("bin/mine"),
        file("./lib/..a"),
        link("bin/other", "mine"),
        link("bin/up", "../lib/x"),
        link("top", "bin")
      )
    )
    assert.isUndefined(
      all({ path: "a", type: "hardlink", target: "bin/mine", size: 0 }, { path: "bin/", type: "folder", size: 0 })
    )
  })

  it("is refused as a whole where anything would leave it", () => {
    assert.isDefined(all(file("../x")))
    assert.isDefined(all(file("a/../../x")))
    assert.isDefined(all(file("/etc/x")))
    assert.isDefined(all(file("..\\x")))
    assert.isDefined(all(file("a\0b")))
    assert.isDefined(all(link("x", "/etc")))
    assert.isDefined(all(link("x", "..")))
    assert.isDefined(all(link("a/x", "../../y")))
    assert.isDefined(all(link("a/x", "b/../../..")))
    assert.isDefined(all({ path: "x", type: "hardlink", target: "../../etc/passwd", size: 0 }))
    assert.isDefined(all({ path: "x", type: "other", size: 0 }))
  })

  it("is refused where something lies behind a link, whatever its case and its place among the others", () => {
    assert.isDefined(all(link("d", "e"), file("d/x")))
    assert.isDefined(all(file("D/x"), link("d", "e")))
    assert.isDefined(all(link("d/x", ".."), link("d/x/s", "..")))
  })

  it("is refused where it would be too much", () => {
    assert.isDefined(all(file("a", ArchiveEntries.limits.bytes), file("b")))
  })
})
