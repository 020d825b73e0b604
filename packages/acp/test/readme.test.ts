import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))
const readme = readFileSync(path("../README.md"), "utf8")

describe("README", () => {
  for (const example of ["examples/client.ts", "examples/agent.ts", "examples/proxy.ts"]) {
    it(`shows ${example} as it is`, () => {
      const body = readFileSync(path(`../${example}`), "utf8")
      assert.include(readme, `\`\`\`ts\n${body}\`\`\``)
    })
  }

  it("has a client and an agent that understand each other", () => {
    const output = execFileSync(
      process.execPath,
      [path("../examples/client.ts"), process.execPath, path("../examples/agent.ts")],
      { encoding: "utf8" }
    )
    assert.deepStrictEqual(output.trim().split("\n"), [
      '{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Hello"}}',
      "end_turn"
    ])
  }, 120_000)

  it("has a proxy between the two that adds a greeting to each prompt", () => {
    const chain = [path("fixtures/conductor.mjs"), path("../examples/proxy.ts"), path("../examples/agent.ts")]
    const output = execFileSync(process.execPath, [path("../examples/client.ts"), process.execPath, ...chain], {
      encoding: "utf8"
    })
    assert.deepStrictEqual(output.trim().split("\n"), [
      '{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Good morning!"}}',
      '{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Hello"}}',
      "end_turn"
    ])
  }, 120_000)

  it("has a proxy of 20 lines", () => {
    assert.isAtMost(readFileSync(path("../examples/proxy.ts"), "utf8").trimEnd().split("\n").length, 20)
  })
})
