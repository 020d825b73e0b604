import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))
const readme = readFileSync(path("../README.md"), "utf8")

describe("README", () => {
  for (const example of ["examples/client.ts", "examples/agent.ts", "examples/proxy.ts", "examples/nes-agent.ts"]) {
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

  it("has an agent that completes a line as another one goes on", () => {
    const session = { sessionId: "nes-1", uri: "file:///a.ts", version: 1 }
    const messages = [
      { id: 0, method: "initialize", params: { protocolVersion: 1 } },
      { id: 1, method: "nes/start", params: {} },
      { method: "document/didOpen", params: { ...session, languageId: "ts", text: "const one = 1\nconst o" } },
      {
        id: 2,
        method: "nes/suggest",
        params: { ...session, position: { line: 1, character: 7 }, triggerKind: "automatic" }
      }
    ]
    const input = messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join("")
    const output = execFileSync(process.execPath, [path("../examples/nes-agent.ts")], { encoding: "utf8", input })
    const end = { line: 1, character: 7 }
    assert.deepInclude(JSON.parse(output.trim().split("\n").at(-1) ?? ""), {
      id: 2,
      result: {
        suggestions: [
          {
            kind: "edit",
            id: "nes-1-1",
            uri: session.uri,
            edits: [{ range: { start: end, end }, newText: "ne = 1" }]
          }
        ]
      }
    })
  }, 120_000)

  it("has an agent for suggestions of 25 lines", () => {
    assert.isAtMost(readFileSync(path("../examples/nes-agent.ts"), "utf8").trimEnd().split("\n").length, 25)
  })

  it("has a proxy of 20 lines", () => {
    assert.isAtMost(readFileSync(path("../examples/proxy.ts"), "utf8").trimEnd().split("\n").length, 20)
  })
})
