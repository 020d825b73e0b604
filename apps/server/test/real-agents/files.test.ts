/** Files that Signalbox reads for real agents: the answer for a missing file. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { agentOf } from "../../src/provider/acp/profile/KnownPrograms.ts"
import { agentHarness, temporaryFolder } from "../support/AgentHarness.ts"
import { play, scriptedMain } from "../support/ScriptedAgent.ts"
import { geminiNewFile } from "./scenarios/gemini-new-file.ts"

interface Started {
  /** The path of the program, below a folder of its own. */
  readonly program: string
  /** What it says of itself. */
  readonly says: string
}

/** The scripted agent as another program, which may read files. */
const started = Effect.fnUntraced(function* ({ program, says }: Started) {
  const file = join(yield* temporaryFolder, program)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `#!/bin/sh\nexec '${process.execPath}' '${scriptedMain}'\n`, { mode: 0o755 })
  const setup = { initialize: { agentInfo: { name: says, version: "0.61.0" } } }
  const agent = yield* agentHarness(file, ["--acp"], { env: { SCRIPTED_AGENT: JSON.stringify(setup) } })
  const { acp } = agent.input().providerOptions
  yield* agent.start({ providerOptions: { acp: { ...acp, files: "read" } } })
  return agent
})

/** What it is answered when it asks for this file of its folder. */
const answered = Effect.fnUntraced(function* (by: Started, path: (folder: string) => string) {
  const agent = yield* started(by)
  writeFileSync(join(agent.folder, ".env"), "KEY=1")
  yield* play(agent, "t1", ...geminiNewFile(path(agent.folder)))
  const said = agent.of("message.delta").map(({ text }) => text)
  const [first, second] = said
    .join("")
    .split("fs/read_text_file ")
    .slice(1)
    .map((answer) => JSON.parse(answer))
  assert.deepEqual({ ...second, id: 0 }, { ...first, id: 0 })
  return first
})

const gemini = { program: "gemini", says: "gemini-cli" }
const missing = (folder: string) => join(folder, "new.txt")

describe("a file that is not there", () => {
  it.live("[93] is an error for every agent but one", () =>
    Effect.gen(function* () {
      const { error } = yield* answered({ program: "qwen", says: "qwen-code" }, missing)
      assert.strictEqual(error.code, -32002)
      assert.match(error.message, /new\.txt does not exist\.$/)
    })
  )

  it.live("[93] is an empty text for Gemini CLI, by its program and by its package", () =>
    Effect.gen(function* () {
      assert.deepEqual((yield* answered(gemini, missing)).result, { content: "" })
      const installed = "node_modules/@google/gemini-cli/bundle/gemini.js"
      assert.deepEqual((yield* answered({ program: installed, says: "gemini-cli" }, missing)).result, { content: "" })
    })
  )

  it.live("[93] is an error for a program that only says that it is Gemini CLI", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* answered({ program: "other", says: "gemini-cli" }, missing)).error.code, -32002)
    })
  )

  it.live("what Gemini CLI may not read stays an error", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* answered(gemini, () => "/etc/none")).error.code, -32602)
      assert.strictEqual((yield* answered(gemini, (folder) => folder)).error.code, -32602)
    })
  )
})

describe("a known agent", () => {
  const idOf = (command: string, ...args: ReadonlyArray<string>) => agentOf(command, args)?.id

  it("is known by its program, however that is started", () => {
    assert.strictEqual(idOf("/opt/bin/gemini", "--acp"), "gemini")
    assert.strictEqual(idOf("npx", "-y", "@google/gemini-cli@0.61.0", "--acp"), "gemini")
    assert.strictEqual(idOf("npx", "--package=@google/gemini-cli@0.61.0", "gemini", "--acp"), "gemini")
    assert.strictEqual(idOf("npx", "-y", "--package", "@google/gemini-cli", "gemini"), "gemini")
    assert.strictEqual(idOf("uvx", "fast-agent-acp==0.10.1", "-x"), "fast-agent")
    assert.strictEqual(idOf("node", "--no-warnings", "/a/node_modules/@google/gemini-cli/bundle/gemini.js"), "gemini")
    assert.strictEqual(idOf("node", "/a/node_modules/.bin/gemini", "--acp"), "gemini")
    assert.strictEqual(idOf("/a/node_modules/opencode-ai/bin/opencode.exe", "acp"), "opencode")
  })

  it("is not known by words that only look like it", () => {
    for (const args of [[], ["-y"], ["--package"], ["gemini-cli"], ["@google/gemini-cli-core"], ["@google"], [""]])
      assert.isUndefined(idOf("npx", ...args), args.join(" "))
    assert.isUndefined(idOf("node", "gemini"))
    assert.isUndefined(idOf("node", "/a/node_modules/"))
    assert.isUndefined(idOf("/opt/gemini/bin/other"))
    assert.isUndefined(idOf(""))
  })
})
