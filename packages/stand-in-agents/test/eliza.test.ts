import { assert, describe, it } from "vitest"
import { Eliza } from "../src/eliza/Eliza.ts"
import { mcpServer } from "./support/McpServer.ts"
import { piecesOf, standIn, withAgent } from "./support/WholeClient.ts"

describe("Eliza's engine", () => {
  it("answers the same words in the same way in every conversation", () => {
    const lines = ["Hello", "I remember my first bug", "My mother worries", "qwerty", "asdf", "zxcv", "uiop", "bnm"]
    const conversation = () => {
      const eliza = new Eliza()
      return lines.map((line) => eliza.reply(line))
    }
    assert.deepEqual(conversation(), conversation())
  })

  it("turns the words of a sentence round", () => {
    assert.strictEqual(new Eliza().reply("I remember my first bug"), "Do you often think of your first bug?")
  })

  it("takes its replies in turn", () => {
    const eliza = new Eliza()
    assert.notStrictEqual(eliza.reply("yes"), eliza.reply("yes"))
  })

  it("answers the keyword that weighs most", () => {
    assert.strictEqual(new Eliza().reply("Perhaps my computer is broken"), "Do computers worry you?")
  })

  it("comes back to what was said about “my” when nothing fits, at every fourth such line", () => {
    const eliza = new Eliza()
    eliza.reply("My tests are flaky")
    const answers = ["qwe", "rty", "uio", "pas"].map((line) => eliza.reply(line))
    assert.include(answers[3], "your tests are flaky")
    assert.strictEqual(answers[0], "I am not sure I understand you fully.")
  })

  it("does not loop where rules lead in a circle, and asks for more when nothing was said", () => {
    assert.isNotEmpty(new Eliza().reply("why what how am are why"))
    assert.strictEqual(new Eliza().reply("  ?! "), "Please tell me more.")
  })
})

describe("Eliza as an agent", () => {
  it("holds a conversation with the official client, and uses the MCP servers of its session", async () => {
    const code = await withAgent(standIn("eliza"), async ({ heard, newSession, prompt }) => {
      const { sessionId } = await newSession("/", [mcpServer("calc")])
      for (const text of [
        "Hello there",
        "List tools from calc",
        'Use tool calc::add with {"a":2,"b":3}',
        "Use tool calc::add with {oops",
        "List tools from nowhere"
      ])
        assert.strictEqual((await prompt(sessionId, text)).stopReason, "end_turn")
      const texts = piecesOf(heard)
      assert.strictEqual(texts[0], "Hello. How are you feeling today?")
      assert.strictEqual(texts[1], "Available tools:\n  - add: Adds two numbers")
      assert.strictEqual(texts[2], 'OK: [{"type":"text","text":"5"}]')
      assert.match(texts[3] ?? "", /^Invalid JSON params: /)
      assert.strictEqual(texts[4], "MCP server 'nowhere' not found")
    })
    assert.strictEqual(code, 0)
  })
})
