/** `npm run registry` against an npm that says what the test wants: what is written, and what keeps it from being written. */
import { execFileSync, spawnSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, assert, describe, it } from "vitest"

const root = join(import.meta.dirname, "../..")
const script = join(root, "scripts/registry-snapshot.mjs")
const shippedText = readFileSync(join(root, "apps/server/registry/generated/registry.json"), "utf8")

interface Entry {
  readonly id: string
  readonly version?: string
  readonly distribution: {
    readonly npx?: { readonly package: string; readonly integrity: string; readonly engines?: { node: string } }
    readonly binary?: Readonly<Record<string, { readonly archive: string; readonly sha256?: string }>>
  }
}
const shipped: { readonly generated: string; readonly agents: ReadonlyArray<Entry> } = JSON.parse(shippedText)

/** What npm answers for a package: a value as JSON, a text as it is, nothing for one that it does not have. */
type Answers = Record<string, object | string>

const program = `#!/bin/sh
[ "$1" = view ] && [ "$3 $4 $5 $6 $7" = "--json version dist.integrity engines bin" ] || { echo "npm $*" >&2; exit 2; }
[ -f "$FAKE_NPM/$2.json" ] && exec /bin/cat "$FAKE_NPM/$2.json"
echo "npm error code E404" >&2
exit 1
`

const folders: Array<string> = []
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })))

/** The packages as the file that comes with us has them: one program each, which is called as the agent's own. */
const npm = (programs: Readonly<Record<string, string>>): Answers =>
  Object.fromEntries(
    shipped.agents.flatMap(({ distribution: { npx }, id, version }) => {
      if (npx === undefined) return []
      const name = npx.package.slice(0, npx.package.lastIndexOf("@"))
      const { engines, integrity } = npx
      return [[name, { version, "dist.integrity": integrity, engines, bin: { [programs[id] ?? ""]: "main.js" } }]]
    })
  )

/** The first of each agent's programs, out of the files that know it. */
const programs: Readonly<Record<string, string>> = JSON.parse(
  execFileSync(
    process.execPath,
    [
      "--input-type=module",
      "-e",
      `import { all } from ${JSON.stringify(join(root, "apps/server/src/provider/known/KnownAgents.ts"))}
       console.log(JSON.stringify(Object.fromEntries(all.map(({ id, programs }) => [id, programs[0]]))))`
    ],
    { encoding: "utf8" }
  )
)

const write = (answers: Answers) => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-registry-"))
  folders.push(folder)
  mkdirSync(join(folder, "bin"))
  writeFileSync(join(folder, "bin", "npm"), program, { mode: 0o755 })
  for (const [name, answer] of Object.entries(answers)) {
    const file = join(folder, "answers", `${name}.json`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, typeof answer === "string" ? answer : JSON.stringify(answer))
  }
  const out = join(folder, "out", "registry.json")
  const env = { PATH: join(folder, "bin"), FAKE_NPM: join(folder, "answers") }
  const { status, stderr } = spawnSync(process.execPath, [script, "--out", out], { env, encoding: "utf8" })
  return { status, stderr, text: existsSync(out) ? readFileSync(out, "utf8") : undefined }
}

/** What npm says, but for these members of these packages. */
const changed = (changes: Readonly<Record<string, object>>): Answers => {
  const answers = npm(programs)
  const all = Object.entries(changes).map(([name, change]) => [name, { ...(answers[name] as object), ...change }])
  return { ...answers, ...Object.fromEntries(all) }
}

describe("the registry that comes with Signalbox", () => {
  it("is, letter by letter, what the script writes from what npm says", () => {
    const { status, stderr, text } = write(npm(programs))
    assert.strictEqual(status, 0, stderr)
    assert.strictEqual(text, shippedText)
  })

  it("says where it comes from, in the order of its ids, with no address of a package", () => {
    assert.match(shipped.generated, /npm run registry/)
    const ids = shipped.agents.map(({ id }) => id)
    assert.deepEqual(ids, ids.toSorted())
    assert.notMatch(shippedText, /\.tgz|npmjs|resolved/)
    for (const { distribution, id, version } of shipped.agents) {
      if (distribution.npx === undefined) continue
      assert.isTrue(distribution.npx.package.endsWith(`@${version}`), id)
      assert.match(distribution.npx.integrity, /^sha512-/, id)
    }
  })

  it("has the newest version that npm names", () => {
    const { status, text = "" } = write(changed({ "@google/gemini-cli": { version: "99.0.1-nightly.3" } }))
    assert.strictEqual(status, 0)
    assert.include(text, '"@google/gemini-cli@99.0.1-nightly.3"')
  })

  it("is not written where npm does not have a package, and says which", () => {
    const { droid: _, cline: __, ...answers } = npm(programs)
    const { status, stderr, text } = write(answers)
    assert.strictEqual(status, 1)
    assert.isUndefined(text)
    assert.match(stderr, /cline \(cline\): npm error code E404/)
    assert.match(stderr, /factory-droid \(droid\): /)
  })

  it("is not written if what npm says is wrong, and each mistake is reported", () => {
    const wrong: ReadonlyArray<readonly [name: string, change: object, why: string]> = [
      ["@augmentcode/auggie", { version: "latest" }, "npm names no exact version"],
      ["cline", { version: ["1.0.0", "1.0.1"] }, "npm names no exact version"],
      ["droid", { version: undefined }, "npm names no exact version"],
      ["opencode-ai", { "dist.integrity": undefined }, "npm names no SHA-512 checksum"],
      ["pi-acp", { "dist.integrity": "sha1-abc" }, "npm names no SHA-512 checksum"],
      ["@github/copilot", { engines: { node: { from: 20 } } }, "what it needs of Node.js can't be read"],
      ["@kilocode/cli", { bin: undefined }, "it has no program"],
      ["@qoder-ai/qodercli", { bin: ["qodercli"] }, "it has no program"],
      ["@qwen-code/qwen-code", { bin: { qwen: { path: "x" } } }, "its programs can't be read"],
      ["@xai-official/grok", { bin: { one: "a.js", other: "b.js" } }, "which of its programs is meant can't be told"],
      ["@google/gemini-cli", { bin: { other: "a.js" } }, "its program is called other, and not gemini"]
    ]
    const answers = changed(Object.fromEntries(wrong.map(([name, change]) => [name, change])))
    const { status, stderr, text } = write({ ...answers, "@agentclientprotocol/codex-acp": "<html>" })
    assert.strictEqual(status, 1)
    assert.isUndefined(text)
    for (const [name, , why] of wrong) assert.include(stderr, `(${name}): ${why}`)
    assert.include(stderr, "codex-acp (@agentclientprotocol/codex-acp): ")
    assert.strictEqual(stderr.trim().split("\n").length, 1 + wrong.length + 1)
  })
})
