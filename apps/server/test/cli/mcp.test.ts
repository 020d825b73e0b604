/** `signalbox mcp`, and what `doctor` says of MCP servers. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assertReadable } from "./support/Runs.ts"
import { call, temporaryFolder } from "./support/Signalbox.ts"

const secret = "sesame-open-4711"

/** Commands on one state folder. */
const on = (state: string) => ({
  settings: () => JSON.parse(readFileSync(join(state, "settings.json"), "utf8")),
  signalbox: (...args: ReadonlyArray<string>) =>
    call(args, { env: { SIGNALBOX_STATE_DIR: state, PATH: "/usr/bin:/bin", MCP_SECRET: secret } })
})

describe("signalbox mcp", () => {
  it.live("a server that is added is in the settings as it was said, and takes no other's place", () =>
    Effect.gen(function* () {
      const { settings, signalbox } = on(temporaryFolder("state"))
      const added = yield* signalbox("mcp", "add", "shell", "--env", "KEY=${env:MCP_SECRET}", "--", "sh", "-c", "x y")
      assert.strictEqual(added.code, 0, added.stderr)
      const web = ["--url", "https://mcp.example/v1", "--header", "X-Key=${env:MCP_SECRET}"]
      assert.strictEqual((yield* signalbox("mcp", "add", "web", ...web)).code, 0)
      assert.deepEqual(settings().mcpServers, {
        shell: { command: "sh", args: ["-c", "x y"], env: { KEY: "${env:MCP_SECRET}" } },
        web: { type: "http", url: "https://mcp.example/v1", headers: { "X-Key": "${env:MCP_SECRET}" } }
      })
      const again = yield* signalbox("mcp", "add", "shell", "--", "other")
      assert.strictEqual(again.code, 2)
      assert.include(again.stderr, "--replace")
      assertReadable(added)
      assertReadable(again)
    })
  )

  it.live("servers are listed, here and by doctor, with what keeps one from being used and without secrets", () =>
    Effect.gen(function* () {
      const state = temporaryFolder("state")
      const { signalbox } = on(state)
      const mcpServers = {
        shell: { command: "sh", args: ["-c", "x y"], env: { KEY: "${env:MCP_SECRET}" } },
        web: { type: "http", url: "https://mcp.example/v1", headers: { "X-Key": secret }, enabled: false },
        gone: { command: "no-such-program" }
      }
      writeFileSync(join(state, "settings.json"), JSON.stringify({ mcpServers }))
      const listed = yield* signalbox("mcp", "list")
      assert.strictEqual(listed.code, 0, listed.stderr)
      assert.match(listed.stdout, /^shell +on +all threads +sh -c 'x y'$/m)
      assert.match(listed.stdout, /^web +off +all threads +https:\/\/mcp\.example\/v1 \(http\)$/m)
      assert.match(listed.stdout, /^gone +unusable +all threads +no-such-program$/m)
      assert.include(listed.stderr, "gone: There is no program no-such-program in PATH.")
      const json = yield* signalbox("mcp", "list", "--json")
      assert.strictEqual(json.stdout.trim().split("\n").length, 3)
      const doctor = yield* signalbox("doctor")
      assert.match(doctor.stdout, /^MCP servers$/m)
      assert.match(doctor.stdout, /^ {2}shell: on\n {4}✓ sh -c 'x y'$/m)
      assert.match(doctor.stdout, /^ {2}gone: unusable\n {4}✗ There is no program no-such-program in PATH\.$/m)
      for (const told of [listed, json, doctor]) assert.notInclude(told.stdout + told.stderr, secret)
      assertReadable(listed)
      assertReadable(doctor)
    })
  )

  it.live("a server is switched off and on, and is gone when it is removed", () =>
    Effect.gen(function* () {
      const state = temporaryFolder("state")
      const { settings, signalbox } = on(state)
      const mcpServers = { web: { type: "http", url: "https://mcp.example/v1" }, shell: { command: "sh" } }
      writeFileSync(join(state, "settings.json"), JSON.stringify({ mcpServers }))
      assert.strictEqual((yield* signalbox("mcp", "disable", "web")).code, 0)
      assert.deepEqual(settings().mcpServers, { ...mcpServers, web: { ...mcpServers.web, enabled: false } })
      assert.strictEqual((yield* signalbox("mcp", "enable", "web")).code, 0)
      assert.deepEqual(settings().mcpServers, mcpServers)
      assert.strictEqual((yield* signalbox("mcp", "remove", "web")).code, 0)
      const missing = yield* signalbox("mcp", "remove", "web")
      assert.strictEqual(missing.code, 2)
      assert.include(missing.stderr, "shell")
      assertReadable(missing)
    })
  )

  it.live("a project's server is for its folder, and leaves what else the settings say as it is", () =>
    Effect.gen(function* () {
      const state = temporaryFolder("state")
      const project = temporaryFolder("project")
      const { settings, signalbox } = on(state)
      writeFileSync(join(state, "settings.json"), JSON.stringify({ mcpServers: { shell: { command: "sh" } } }))
      assert.strictEqual((yield* signalbox("mcp", "add", "shell", "--project", project, "--", "cat")).code, 0)
      assert.deepEqual(settings(), {
        mcpServers: { shell: { command: "sh" } },
        projects: { [project]: { mcpServers: { shell: { command: "cat" } } } }
      })
      const there = yield* signalbox("mcp", "list", "--cwd", join(project, "below"))
      assert.match(there.stdout, new RegExp(`^shell +on +${project} +cat$`, "m"))
      assert.match((yield* signalbox("mcp", "list")).stdout, /^shell +on +all threads +sh$/m)
      assert.strictEqual((yield* signalbox("mcp", "remove", "shell", "--project", project)).code, 0)
      assert.deepEqual(settings(), { mcpServers: { shell: { command: "sh" } }, projects: {} })
    })
  )

  it.live("says what is wrong with its arguments", () =>
    Effect.gen(function* () {
      const { signalbox } = on(temporaryFolder("state"))
      const wrong = [
        [["add", "x"], "a command or a --url"],
        [["add", "x", "--url", "https://a.example", "--", "sh"], "a command or a --url"],
        [["add", "x", "--header", "A=b", "--", "sh"], "--header are for a --url"],
        [["add", "x", "--env", "A=b", "--url", "https://a.example"], "--env is for a server that is started"],
        [["add", "x", "--env", "AB", "--", "sh"], "not of the form NAME=VALUE"],
        [["enable", "x"], "no server"]
      ] as const
      const all = yield* Effect.forEach(
        wrong,
        ([args, words]) => Effect.map(signalbox("mcp", ...args), (ended) => ({ ended, words })),
        { concurrency: 2 }
      )
      for (const { ended, words } of all) {
        assert.strictEqual(ended.code, 2, words)
        assert.include(ended.stderr.replace(/\s+/g, " "), words)
        assertReadable(ended)
      }
    })
  )
})
