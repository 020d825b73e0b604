/** Who else may write where our state is: found, mended where it is ours alone, refused by every command otherwise. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { execFileSync } from "node:child_process"
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { dirname, join } from "node:path"
import { databaseIn, guardedIn } from "../../src/base/StateDirectory.ts"
import * as Exposure from "../../src/base/Exposure.ts"
import { reachable } from "../cli/support/Conversation.ts"
import { assertReadable } from "../cli/support/Runs.ts"
import { call, start, temporaryFolder } from "../cli/support/Signalbox.ts"

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

const settings = JSON.stringify({ agents: { mine: { command: process.execPath, args: ["-e", "process.exit()"] } } })

/** A state folder with settings in it, in a folder of its own. */
const state = () => {
  const folder = join(temporaryFolder("state"), "it's here")
  mkdirSync(folder, { mode: 0o700 })
  writeFileSync(join(folder, "settings.json"), settings, { mode: 0o600 })
  return folder
}

describe("an exposure", () => {
  it("is the folder, a file in it, or a folder above it that everybody can write to", () => {
    const folder = state()
    assert.isUndefined(Exposure.find(guardedIn(folder)))
    for (const path of [folder, join(folder, "settings.json"), dirname(folder)]) {
      const { mode } = statSync(path)
      chmodSync(path, 0o777)
      const found = Exposure.find(guardedIn(folder))
      assert.strictEqual(found?.path, path)
      assert.include(found?.why ?? "", "0777")
      execFileSync("/bin/sh", ["-c", found?.command ?? "false"])
      assert.strictEqual(modeOf(path), "775")
      assert.isUndefined(Exposure.find(guardedIn(folder)))
      chmodSync(path, mode)
    }
    // A sticky folder, like /tmp: only the owner of a file can exchange it.
    chmodSync(dirname(folder), 0o1777)
    assert.isUndefined(Exposure.find(guardedIn(folder)))
  })

  it("is also where a link leads", () => {
    const folder = state()
    const elsewhere = temporaryFolder("dotfiles")
    writeFileSync(join(elsewhere, "signalbox.json"), settings)
    execFileSync("rm", [join(folder, "settings.json")])
    symlinkSync(join(elsewhere, "signalbox.json"), join(folder, "settings.json"))
    assert.isUndefined(Exposure.find(guardedIn(folder)))
    chmodSync(elsewhere, 0o777)
    assert.strictEqual(Exposure.find(guardedIn(folder))?.path, elsewhere)
  })

  it.skipIf(process.geteuid?.() !== 0)("is what belongs to another account; what is root's is none", () => {
    const folder = state()
    chownSync(join(folder, "settings.json"), 12_345, 0)
    const found = Exposure.find(guardedIn(folder))
    assert.include(found?.why ?? "", "belongs to another account of this machine (number 12345)")
    assert.match(found?.command ?? "", /^sudo chown 0 '/)
  })

  it("is none where nothing is yet, and where nothing can be", () => {
    assert.isUndefined(Exposure.find(guardedIn(join(temporaryFolder("state"), "not", "yet"))))
    assert.isUndefined(Exposure.find(guardedIn("/proc/signalbox")))
    assert.isUndefined(Exposure.find(guardedIn(join(process.execPath, "state"))))
    assert.isUndefined(Exposure.find(guardedIn("/dev/null")))
  })
})

describe("a state folder that others can write to", () => {
  const commands = (folder: string) => [
    ["serve", "--port", "0", "--state-dir", folder],
    ["agents", "list", "--state-dir", folder],
    ["agents", "add", "other", "--state-dir", folder, "--", "true"],
    ["mcp", "list", "--state-dir", folder],
    ["threads", "list", "--state-dir", folder],
    ["settings", "list", "--state-dir", folder],
    ["stats", "--state-dir", folder],
    ["sessions", "list", "--provider", "mine", "--state-dir", folder],
    ["login", "--provider", "mine", "--state-dir", folder],
    ["tape", "list", "--state-dir", folder],
    ["conformance", "--provider", "mine", "--state-dir", folder],
    ["restore", "backup", "--state-dir", folder],
    ["backup", "copy", "--state-dir", folder],
    ["agents", "registry", "--state-dir", folder]
  ]

  it.live("is refused by every command that works with it, with the command that mends it", () =>
    Effect.gen(function* () {
      const folder = state()
      chmodSync(join(folder, "settings.json"), 0o666)
      const mends = `chmod o-w '${join(folder, "settings.json").replace("'", `'\\''`)}'`
      const runs = [
        ...commands(folder).map((args) => call(args)),
        call(["run", "--provider", "mine", "Hello"], { env: { SIGNALBOX_STATE_DIR: folder } })
      ]
      for (const refused of yield* Effect.all(runs, { concurrency: 2 })) {
        assert.strictEqual(refused.code, 1, refused.stderr)
        assert.include(refused.stderr, "Others can change what Signalbox works with.")
        assert.include(refused.stderr.replaceAll(/\s+/g, " "), mends)
        assert.include(refused.stderr, "Or choose another folder with --state-dir")
        assert.notInclude(refused.stderr, "--agent")
        assertReadable(refused)
      }
      assert.deepStrictEqual(readdirSync(folder), ["settings.json"])
    })
  )

  it.live("is what doctor reports, with a code for scripts, and changes nothing", () =>
    Effect.gen(function* () {
      const folder = state()
      chmodSync(folder, 0o770)
      chmodSync(join(folder, "settings.json"), 0o662)
      const seen = yield* call(["doctor", "--state-dir", folder])
      assert.strictEqual(seen.code, 1)
      assert.include(seen.stdout, "Others can change what Signalbox works with.")
      assert.include(seen.stdout, "chmod o-w")
      assert.notInclude(seen.stdout, "(mine)")
      assert.strictEqual(modeOf(folder), "770")
      assertReadable(seen)
    })
  )
})

describe("a state folder that its group can write to", () => {
  it.live("is mended by the server, which says so in its log", () =>
    Effect.gen(function* () {
      const folder = state()
      chmodSync(folder, 0o770)
      chmodSync(join(folder, "settings.json"), 0o664)
      const server = yield* start(["serve", "--port", "0", "--state-dir", folder])
      yield* reachable(server)
      assert.strictEqual(modeOf(folder), "750")
      assert.strictEqual(modeOf(join(folder, "settings.json")), "644")
      assert.strictEqual(modeOf(databaseIn(folder)), "600")
      server.kill("SIGTERM")
      yield* server.ended
      const log = readFileSync(join(folder, "logs", "server.ndjson"), "utf8")
      assert.include(log, `The group could write to ${folder}. That was ended`)
      assert.include(log, `The group could write to ${join(folder, "settings.json")}. That was ended`)
    }).pipe(Effect.scoped)
  )
})
