/** Tools of components through `signalbox conductor agent` where nobody names the bridge: real programs, and the component git. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Repositories from "../../../../packages/ide/test/history/Repositories.ts"
import * as AcpCaller from "./support/AcpCaller.ts"
import { temporaryFolder } from "./support/Signalbox.ts"

const native = fileURLToPath(new URL("../../../../packages/conductor/test/fixtures/sdk-mcp-agent.mjs", import.meta.url))

/** Eliza takes HTTP. This one says that she does not. */
const withoutHttp = ["sh", "-c", `${AcpCaller.line("eliza")} | sed -u 's/"http":true/"http":false/'`]

const listed = /Available tools:.*git_log.*git_blame.*git_diff/

/** Begins a session in a repository, and asks the agent for this. Returns what it said, and what its `initialize` has come to. */
const ask = Effect.fnUntraced(function* (args: ReadonlyArray<string>, text: string) {
  const { folder } = yield* Repositories.withHistory
  const trace = join(temporaryFolder("bridge"), "trace.jsonl")
  const caller = yield* AcpCaller.start(["conductor", "agent", "--trace", trace, ...args])
  const initialized = yield* caller.request("initialize", { protocolVersion: 1, clientCapabilities: {} })
  const { result } = yield* caller.request("session/new", { cwd: folder, mcpServers: [] })
  yield* caller.request("session/prompt", AcpCaller.prompt(String(result?.["sessionId"]), text))
  caller.stdin.end()
  const { code, stderr, stdout } = yield* caller.ended
  assert.strictEqual(code, 0, stderr)
  const capabilities: unknown = initialized.result?.["agentCapabilities"]
  const events = readFileSync(trace, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))
  const opened = events.findLast(({ method, to }) => method === "session/new" && to === "Agent").params.mcpServers
  return { said: stdout, capabilities, opened, initializations: events.filter(({ method }) => method === "initialize") }
})

describe("The tools of the component git, where nobody names the bridge", () => {
  for (const { agent, kind, takes } of [
    { takes: "HTTP", agent: AcpCaller.words("eliza"), kind: "http" },
    { takes: "programs only", agent: withoutHttp, kind: undefined }
  ])
    it.live(`[122] reach an agent that takes ${takes}`, () =>
      Effect.gen(function* () {
        const chain = ["--component", "git", "--", ...agent]
        const { capabilities, initializations, opened, said } = yield* ask(chain, "List tools from git")
        assert.match(said, listed)
        assert.deepInclude(capabilities, { mcpCapabilities: { http: kind === "http", acp: true } })
        assert.deepStrictEqual(
          opened.map(({ name, type }: { readonly name: string; readonly type?: string }) => [name, type]),
          [["git", kind]]
        )
        assert.strictEqual(initializations.length, 1)
      })
    )

  it.live("[122] reach an agent that takes servers over ACP as they are", () =>
    Effect.gen(function* () {
      const chain = ["--component", "git", "--", process.execPath, native]
      const { opened, said } = yield* ask(chain, JSON.stringify({ method: "tools/list" }))
      assert.match(said, /git_log.*git_blame.*git_diff/)
      assert.deepInclude(opened[0], { type: "acp", name: "git" })
    })
  )

  it.live("reach the agent from a program, too", () =>
    Effect.gen(function* () {
      const git = `${process.execPath} ${AcpCaller.program} component git`
      const { said } = yield* ask(["--proxy", git, "--", ...AcpCaller.words("eliza")], "List tools from git")
      assert.match(said, listed)
    })
  )

  it.live("do not reach it where no bridge is wanted, by a flag or by the file", () =>
    Effect.gen(function* () {
      const eliza = AcpCaller.words("eliza")
      const config = join(temporaryFolder("bridge"), "chain.json")
      const [command, ...args] = eliza
      writeFileSync(
        config,
        JSON.stringify({ components: [{ component: "git" }], bridge: false, agent: { command, args } })
      )
      for (const chain of [
        ["--no-bridge", "--component", "git", "--", ...eliza],
        ["--config", config]
      ]) {
        const { capabilities, said } = yield* ask(chain, "List tools from git")
        assert.include(said, "MCP server 'git' not found")
        assert.deepInclude(capabilities, { mcpCapabilities: { http: true } })
      }
    })
  )

  it.live("reach it through the bridge that somebody has named, and no second one stands there", () =>
    Effect.gen(function* () {
      const chain = ["--component", "git", "--component", "bridge", "--", ...AcpCaller.words("eliza")]
      const { initializations, said } = yield* ask(chain, "List tools from git")
      assert.match(said, listed)
      assert.deepStrictEqual(
        initializations.map(({ from }) => from),
        ["Proxy(1)"]
      )
    })
  )

  it.live("are no reason to change a chain of components without servers", () =>
    Effect.gen(function* () {
      const chain = ["--component", "pass", "--", ...AcpCaller.words("eliza")]
      const { capabilities, initializations } = yield* ask(chain, "Hello")
      assert.deepInclude(capabilities, { mcpCapabilities: { http: true } })
      assert.deepStrictEqual(
        initializations.map(({ from }) => from),
        ["Proxy(0)"]
      )
    })
  )
})
